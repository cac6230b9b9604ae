import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { useStore } from '../../ui/use-store.ts';
import { SongPosition } from './song-position.tsx';
import styles from './transport.module.css';

/** Status of the player while it loads, waits or has failed, and the position in the song. */
export function PlayerStatus({ player, peaks }: { player: SongPlayer; peaks: DrawablePeaks | null }) {
  const state = useStore(player.state, (all) => all);
  const { status, transport, error } = state;
  return (
    <>
      <span className={styles['state']} role="status" data-failed={status === 'failed'}>
        {status === 'failed' && `Stopped: ${error}. Press play to retry.`}
        {status === 'loading' && 'Opening…'}
        {status === 'ready' && transport === 'buffering' && 'Buffering…'}
      </span>
      <SongPosition player={player} state={state} peaks={peaks} />
    </>
  );
}

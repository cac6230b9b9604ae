import { MAX_COUNT_IN_BARS, type PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './transport.module.css';

/** Metronome and count-in of the player; both need the beats of an analysis. */
export function ClickControl({
  player,
  state,
  hasBeats,
}: {
  player: SongPlayer;
  state: PlayerState;
  hasBeats: boolean;
}) {
  const { metronome, countInBars, stripRefusal } = state;
  const missing = hasBeats ? '' : ' (needs analysis)';
  const canCountIn = hasBeats && stripRefusal === '';
  return (
    <span className={styles['group']}>
      <IconButton
        small
        look="plain"
        icon="metronome"
        label="Metronome"
        title={`Metronome (C)${missing}`}
        aria-pressed={metronome.isOn && hasBeats}
        disabled={!hasBeats}
        onClick={() => player.setMetronome({ ...metronome, isOn: !metronome.isOn })}
      />
      <Button
        small
        className={styles['countIn']}
        title={`Bars counted in before playback${missing || (canCountIn ? '' : ' (needs stems)')}`}
        aria-pressed={countInBars > 0 && canCountIn}
        disabled={!canCountIn}
        onClick={() => player.setCountIn(countInBars < MAX_COUNT_IN_BARS ? countInBars + 1 : 0)}
      >
        {countInBars > 0 ? `Count-in ${countInBars}` : 'Count-in'}
      </Button>
    </span>
  );
}

import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useStore } from '../../ui/use-store.ts';
import { ClickControl } from './click-control.tsx';
import { KeyControl } from './key-control.tsx';
import { LoopControl } from './loop-control.tsx';
import range from './range.module.css';
import { SongTime } from './song-time.tsx';
import { TempoControl } from './tempo-control.tsx';
import styles from './transport.module.css';

/** What the transport shows of a track, beside its player. */
export interface TransportTrack {
  readonly id: string;
  /** BPM as recorded; null if unknown. */
  readonly bpm: number | null;
  /** Key as recorded, in sharps; empty if unknown. */
  readonly key: string;
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
}

/** Transport of the player: play, time, tempo, key, loop, metronome, count-in and volume. */
export function Transport({
  player,
  track,
  isSnapping,
  onSnap,
  onToggle,
  onListKeys,
  children,
}: {
  player: SongPlayer;
  track: TransportTrack;
  isSnapping: boolean;
  onSnap: (isSnapping: boolean) => void;
  /** Plays or pauses. */
  onToggle: () => void;
  onListKeys: () => void;
  /** Further actions, before the volume. */
  children?: ReactNode;
}) {
  const state = useStore(player.state, (all) => all);
  const { transport, durationSeconds, masterVolume } = state;
  const isRunning = transport !== 'paused' && transport !== 'ended';
  return (
    <div className={styles['transport']} role="group" aria-label="Transport">
      <span className={styles['group']}>
        <IconButton icon="start" label="Go to start (Home)" onClick={() => player.seek(0)} />
        <IconButton
          look="primary"
          icon={isRunning ? 'pause' : 'play'}
          label={isRunning ? 'Pause (Space)' : 'Play (Space)'}
          className={styles['play']}
          onClick={onToggle}
        />
        <SongTime
          player={player}
          durationSeconds={durationSeconds}
          beats={track.beats}
          downbeats={track.downbeats}
        />
      </span>
      <TempoControl player={player} state={state} recordedBpm={track.bpm} />
      <KeyControl player={player} state={state} recordedKey={track.key} />
      <LoopControl
        player={player}
        state={state}
        trackId={track.id}
        beats={track.beats}
        downbeats={track.downbeats}
        isSnapping={isSnapping}
        onSnap={onSnap}
      />
      <ClickControl player={player} state={state} hasBeats={track.beats.length > 0} />
      <span className={styles['end']}>
        {children}
        <label className={styles['master']}>
          <Icon name="volume" size={18} />
          <span className="visually-hidden">Master volume</span>
          <input
            type="range"
            className={range['range']}
            min={0}
            max={100}
            value={Math.round(masterVolume * 100)}
            style={{ ['--part' as string]: `${masterVolume * 100}%` }}
            onChange={(event) => player.setMasterVolume(Number(event.target.value) / 100)}
          />
        </label>
        <IconButton
          icon="keyboard"
          label="Keyboard shortcuts (?)"
          className={styles['keys']}
          onClick={onListKeys}
        />
      </span>
    </div>
  );
}

import type { PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import type { Ref } from 'react';
import { clockText } from '../../base/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './player-panel.module.css';
import { TempoAndKey } from './tempo-and-key.tsx';

/** Transport of the player: play, time, loop, tempo, key and master volume. */
export function Transport({
  player,
  state,
  time,
  hasBeats,
  isSnapping,
  onSnap,
  onListKeys,
}: {
  player: SongPlayer;
  state: PlayerState;
  time: Ref<HTMLSpanElement>;
  hasBeats: boolean;
  isSnapping: boolean;
  onSnap: (isSnapping: boolean) => void;
  onListKeys: () => void;
}) {
  const { transport, durationSeconds, loop, isLooping, masterVolume, status, error } = state;
  const isRunning = transport !== 'paused' && transport !== 'ended';
  return (
    <div className={styles['transport']}>
      <IconButton icon="start" label="Go to start (Home)" onClick={() => player.seek(0)} />
      <IconButton
        look="primary"
        icon={isRunning ? 'pause' : 'play'}
        label={isRunning ? 'Pause (Space)' : 'Play (Space)'}
        className={styles['play']}
        onClick={() => player.toggle()}
      />
      <span className={styles['time']}>
        <span ref={time} className={styles['now']}>
          0:00
        </span>
        <span className={styles['total']}> / {clockText(durationSeconds)}</span>
      </span>
      <span className={styles['loop']}>
        <Button
          small
          icon="loop"
          aria-pressed={isLooping}
          title={loop ? 'Toggle loop (L)' : 'Loop 8 seconds (L)'}
          onClick={() => {
            if (loop) player.toggleLooping();
            else {
              const from = player.positionSeconds();
              player.setLoop({ startSeconds: from, endSeconds: Math.min(durationSeconds, from + 8) });
            }
          }}
        >
          Loop
        </Button>
        <IconButton
          small
          icon="magnet"
          label={hasBeats ? 'Snap loop to beats' : 'Snap loop to beats (needs analysis)'}
          aria-pressed={isSnapping && hasBeats}
          disabled={!hasBeats}
          onClick={() => onSnap(!isSnapping)}
        />
        <span className={styles['bounds']}>
          {loop ? `${clockText(loop.startSeconds)} – ${clockText(loop.endSeconds)}` : ''}
        </span>
        {loop && <IconButton small icon="close" label="Clear loop" onClick={() => player.setLoop(null)} />}
      </span>
      <TempoAndKey player={player} state={state} />
      <span className={styles['state']} role="status" data-failed={status === 'failed'}>
        {status === 'failed' && `Stopped: ${error}. Press play to retry.`}
        {status === 'loading' && 'Opening…'}
        {status === 'ready' && transport === 'buffering' && 'Buffering…'}
        {status === 'ready' && transport !== 'buffering' && state.stretchRefusal}
      </span>
      <label className={styles['master']}>
        <Icon name="volume" size={18} />
        <span className="visually-hidden">Master volume</span>
        <input
          type="range"
          className={styles['range']}
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
    </div>
  );
}

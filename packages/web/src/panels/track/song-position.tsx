import type { PlayerState } from '@stem-studio/audio/player/player-state';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { type PointerEvent, useRef } from 'react';
import { clockText } from '../../base/format.ts';
import { drawPeaks } from '../../canvas/draw-peaks.ts';
import type { DrawablePeaks } from '../../client/peaks-query.ts';
import { useScope } from '../../ui/use-scope.ts';
import styles from './transport.module.css';

/** The whole song as a slider: its waveform, the loop and the playhead. A press or a drag seeks. */
export function SongPosition({
  player,
  state: { durationSeconds, loop, isLooping },
  peaks,
}: {
  player: SongPlayer;
  state: PlayerState;
  /** Waveform of the whole song, or null while unknown. */
  peaks: DrawablePeaks | null;
}) {
  const slider = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const playhead = useRef<HTMLDivElement>(null);
  useScope(
    (scope) => {
      const { current } = canvas;
      if (!current) return;
      const draw = () => drawPeaks(current, current.clientWidth, current.clientHeight, peaks);
      draw();
      scope.onResize(current, draw);
    },
    [peaks],
  );
  useScope(
    (scope) => {
      let shownLeft = '';
      let shownSecond = -1;
      scope.onAnimationFrame(() => {
        if (!slider.current || !playhead.current) return;
        const { durationSeconds: whole } = player.state.getState();
        const position = player.positionSeconds();
        const left = ((whole > 0 ? position / whole : 0) * slider.current.clientWidth).toFixed(1);
        if (left !== shownLeft) {
          shownLeft = left;
          playhead.current.style.transform = `translateX(${left}px)`;
        }
        const second = Math.floor(position);
        if (second === shownSecond) return;
        shownSecond = second;
        slider.current.setAttribute('aria-valuenow', String(second));
        slider.current.setAttribute('aria-valuetext', `${clockText(position)} of ${clockText(whole)}`);
      });
    },
    [player],
  );
  const scrub = (event: PointerEvent) => {
    if (event.type === 'pointerdown') {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
    } else if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.getBoundingClientRect();
    if (box.width > 0)
      player.seek(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * durationSeconds);
  };
  const percent = (seconds: number) => `${durationSeconds > 0 ? (seconds / durationSeconds) * 100 : 0}%`;
  return (
    <div
      ref={slider}
      className={styles['position']}
      role="slider"
      tabIndex={0}
      aria-label="Song position"
      aria-valuemin={0}
      aria-valuemax={Math.floor(durationSeconds)}
      aria-valuenow={0}
      onPointerDown={scrub}
      onPointerMove={scrub}
    >
      <canvas ref={canvas} aria-hidden="true" />
      {loop && (
        <span
          className={styles['region']}
          data-on={isLooping}
          style={{ left: percent(loop.startSeconds), width: percent(loop.endSeconds - loop.startSeconds) }}
        />
      )}
      <div ref={playhead} className={styles['playhead']} />
    </div>
  );
}

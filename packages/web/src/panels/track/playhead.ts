import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { clockText } from '../../base/format.ts';

/** Elements that move during playback. */
export interface MovingParts {
  /** Slider of the position, over the waveforms. */
  timeline: HTMLElement;
  playhead: HTMLElement;
  time: HTMLElement;
  /** Level meters of the rows, scaled horizontally. */
  meters: () => readonly HTMLElement[];
}

/**
 * Updates playhead, time and meters in every frame, outside React, and changes the DOM only if a value has changed.
 */
export function openPlayhead(scope: Scope, player: SongPlayer, parts: MovingParts): void {
  let shownTime = '';
  let shownLeft = '';
  scope.onAnimationFrame(() => {
    const { durationSeconds } = player.state.getState();
    const position = player.positionSeconds();
    const ratio = durationSeconds > 0 ? position / durationSeconds : 0;
    const left = (ratio * parts.timeline.clientWidth).toFixed(1);
    if (left !== shownLeft) {
      shownLeft = left;
      parts.playhead.style.transform = `translateX(${left}px)`;
    }
    const time = clockText(position);
    if (time !== shownTime) {
      shownTime = time;
      parts.time.textContent = time;
      parts.timeline.setAttribute('aria-valuenow', String(Math.floor(position)));
      parts.timeline.setAttribute('aria-valuetext', `${time} of ${clockText(durationSeconds)}`);
    }
    for (const [row, meter] of parts.meters().entries()) {
      const level = Math.min(1, player.level(row) ?? 0);
      // Square root, so that low levels are visible without a dB scale.
      meter.style.transform = `scaleX(${Math.sqrt(level).toFixed(2)})`;
    }
  });
}

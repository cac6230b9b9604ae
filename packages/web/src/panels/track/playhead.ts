import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { clockText } from '../../base/format.ts';

/** What moves with the sound. */
export interface MovingParts {
  /** Lies over the waveforms; it is the slider of the place. */
  timeline: HTMLElement;
  playhead: HTMLElement;
  time: HTMLElement;
  /** The level of each row, as a bar that is scaled. */
  meters: () => readonly HTMLElement[];
}

/**
 * Moves playhead, time and meters with every picture, outside of the view library; touches the page only where
 * something has changed.
 */
export function openPlayhead(scope: Scope, player: SongPlayer, parts: MovingParts): void {
  let shownTime = '';
  let shownLeft = '';
  scope.eachPicture(() => {
    const { durationSeconds } = player.state.getState();
    const place = player.positionSeconds();
    const ratio = durationSeconds > 0 ? place / durationSeconds : 0;
    const left = (ratio * parts.timeline.clientWidth).toFixed(1);
    if (left !== shownLeft) {
      shownLeft = left;
      parts.playhead.style.transform = `translateX(${left}px)`;
    }
    const time = clockText(place);
    if (time !== shownTime) {
      shownTime = time;
      parts.time.textContent = time;
      parts.timeline.setAttribute('aria-valuenow', String(Math.floor(place)));
      parts.timeline.setAttribute('aria-valuetext', `${time} of ${clockText(durationSeconds)}`);
    }
    for (const [row, meter] of parts.meters().entries()) {
      const level = Math.min(1, player.level(row) ?? 0);
      // The root shows quiet sound too; a meter in decibels would need a scale that has no room here.
      meter.style.transform = `scaleX(${Math.sqrt(level).toFixed(2)})`;
    }
  });
}

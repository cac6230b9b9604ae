import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';
import { clockText } from '../../base/format.ts';

/** Updates position and time of a player in every frame, outside React, and changes the DOM only when a value changes. */
export function openProgress(scope: Scope, player: SongPlayer, slider: HTMLElement, time: HTMLElement): void {
  let shownRatio = '';
  let shownTime = '';
  scope.onAnimationFrame(() => {
    const { durationSeconds } = player.state.getState();
    const position = player.positionSeconds();
    const ratio = (durationSeconds > 0 ? position / durationSeconds : 0).toFixed(4);
    if (ratio !== shownRatio) {
      shownRatio = ratio;
      slider.style.setProperty('--ratio', ratio);
    }
    const text = clockText(position);
    if (text === shownTime) return;
    shownTime = text;
    time.textContent = text;
    slider.setAttribute('aria-valuenow', String(Math.floor(position)));
    slider.setAttribute('aria-valuetext', `${text} of ${clockText(durationSeconds)}`);
  });
}

import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';

/** Updates text that changes with the position, in every frame, outside React; touches the DOM only if it differs. */
export function followText(
  scope: Scope,
  player: SongPlayer,
  element: HTMLElement,
  textAt: (seconds: number) => string,
): void {
  let shown: string | null = null;
  scope.onAnimationFrame(() => {
    const text = textAt(player.positionSeconds());
    if (text === shown) return;
    shown = text;
    element.textContent = text;
  });
}

/** Moves the level meters of the rows with the audio; `meters` are scaled horizontally. */
export function followLevels(scope: Scope, player: SongPlayer, meters: () => readonly HTMLElement[]): void {
  scope.onAnimationFrame(() => {
    for (const [row, meter] of meters().entries()) {
      const level = Math.min(1, player.level(row) ?? 0);
      // Square root, so that low levels are visible without a dB scale.
      const transform = `scaleX(${Math.sqrt(level).toFixed(2)})`;
      if (meter.style.transform !== transform) meter.style.transform = transform;
    }
  });
}

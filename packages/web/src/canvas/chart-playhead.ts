import type { Scope } from '@stem-studio/audio/base/scope';
import type { SongPlayer } from '@stem-studio/audio/player/song-player';

/**
 * Moves the playhead of every chart with the player. The lines are paused animations whose time is set, so that a frame
 * needs only one number per line and no style text.
 */
export class ChartPlayhead {
  readonly #lines: Animation[] = [];
  readonly #durationSeconds: number;
  #shown = -1;

  /** @param durationSeconds duration that the width of a chart shows */
  constructor(durationSeconds: number) {
    this.#durationSeconds = durationSeconds;
  }

  /** Adds an element as wide as its chart, whose left edge is the playhead, until `scope` ends. */
  add(scope: Scope, element: HTMLElement): void {
    const line = element.animate([{ transform: 'translateX(0)' }, { transform: 'translateX(100%)' }], {
      duration: Math.max(1, this.#durationSeconds * 1000),
      fill: 'both',
    });
    line.pause();
    this.#lines.push(line);
    this.#shown = -1;
    scope.own(() => {
      this.#lines.splice(this.#lines.indexOf(line), 1);
      line.cancel();
    });
  }

  /** Follows a player until `scope` ends. */
  follow(scope: Scope, player: SongPlayer): void {
    this.#shown = -1;
    scope.onAnimationFrame(() => {
      const seconds = player.positionSeconds();
      if (seconds === this.#shown) return;
      this.#shown = seconds;
      for (let i = 0; i < this.#lines.length; i++) {
        const line = this.#lines[i];
        if (line) line.currentTime = Math.min(this.#durationSeconds, seconds) * 1000;
      }
    });
  }
}

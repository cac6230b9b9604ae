import type { Scope } from '@stem-studio/audio/base/scope';

/** Interval between two checks for changes while nothing moves, in ms. */
const CHECK_MS = 100;
/** Time without a change after which frames are no longer requested, in ms. */
const STILL_MS = 500;

/** Draws everything that moves in one callback per animation frame of the browser. */
export interface AnimationLoop {
  /**
   * Calls `draw` in every animation frame for as long as `scope` lives; ten times a second while nothing moves.
   *
   * @param draw returns whether it has changed what the page shows
   */
  add(scope: Scope, draw: (timeMs: number) => boolean): void;
  /** Draws in every frame again, because something may have changed. */
  wake(): void;
}

/**
 * Returns an animation loop that lives as long as `scope`. It requests no frames while it is empty, and ten a second
 * while nothing moves: a requested frame costs the browser processor time even if nothing is drawn in it.
 */
export function createAnimationLoop(scope: Scope): AnimationLoop {
  let draws: readonly ((timeMs: number) => boolean)[] = [];
  /** Ends the requests for frames or the wait for the next check. */
  let stop: (() => void) | null = null;
  let isResting = false;
  let isWoken = false;
  let changedMs = 0;
  const run = () => {
    isResting = false;
    stop = scope.onAnimationFrame(next);
  };
  const next = (timeMs: number) => {
    let hasChanged = isWoken;
    isWoken = false;
    for (let index = 0; index < draws.length; index++) if (draws[index]?.(timeMs) === true) hasChanged = true;
    if (hasChanged) changedMs = timeMs;
    // A participant may have removed the last one.
    if (!stop || timeMs - changedMs < STILL_MS) return;
    stop();
    isResting = true;
    stop = scope.after(CHECK_MS, run);
  };
  const wake = () => {
    isWoken = true;
    if (!isResting) return;
    stop?.();
    run();
  };
  return {
    add(owner, draw) {
      draws = [...draws, draw];
      wake();
      if (!stop) run();
      owner.own(() => {
        draws = draws.filter((one) => one !== draw);
        if (draws.length > 0) return;
        stop?.();
        stop = null;
        isResting = false;
      });
    },
    wake,
  };
}

import type { Scope } from '@stem-studio/audio/base/scope';

/** Draws everything that moves in one callback per animation frame of the browser. */
export interface AnimationLoop {
  /** Calls `draw` in every animation frame for as long as `scope` lives. */
  add(scope: Scope, draw: (timeMs: number) => void): void;
}

/** Returns an animation loop that lives as long as `scope` and requests no frames while it is empty. */
export function createAnimationLoop(scope: Scope): AnimationLoop {
  let draws: readonly ((timeMs: number) => void)[] = [];
  let stop: (() => void) | null = null;
  const next = (timeMs: number) => {
    for (let index = 0; index < draws.length; index++) draws[index]?.(timeMs);
  };
  return {
    add(owner, draw) {
      draws = [...draws, draw];
      stop ??= scope.onAnimationFrame(next);
      owner.own(() => {
        draws = draws.filter((one) => one !== draw);
        if (draws.length > 0) return;
        stop?.();
        stop = null;
      });
    },
  };
}

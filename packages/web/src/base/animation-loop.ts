import type { Scope } from '@stem-studio/audio/base/scope';

/** Everything of the decks that moves is drawn in one animation before each picture of the screen. */
export interface AnimationLoop {
  /** Draws with every picture for as long as `scope` lives. */
  add(scope: Scope, draw: (timeMs: number) => void): void;
}

/** A animation that lives as long as `scope`; while nothing takes part in it, nothing runs. */
export function createAnimationLoop(scope: Scope): AnimationLoop {
  let draws: readonly ((timeMs: number) => void)[] = [];
  let stop: (() => void) | null = null;
  const next = (timeMs: number) => {
    for (let index = 0; index < draws.length; index++) draws[index]?.(timeMs);
  };
  return {
    add(owner, draw) {
      draws = [...draws, draw];
      stop ??= scope.eachPicture(next);
      owner.own(() => {
        draws = draws.filter((one) => one !== draw);
        if (draws.length > 0) return;
        stop?.();
        stop = null;
      });
    },
  };
}

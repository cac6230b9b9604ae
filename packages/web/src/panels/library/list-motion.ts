import { Scope } from '@stem-studio/audio/base/scope';
import { createStore } from 'zustand/vanilla';

/** How the list of tracks is being scrolled. */
interface ListMotion {
  readonly isMoving: boolean;
  /** Whether its rows pass too fast to be read. */
  readonly isFast: boolean;
}

/** How the list of tracks is being scrolled. Parts of rows that cost time wait until it rests. */
export const listMotion = createStore<ListMotion>(() => ({ isMoving: false, isFast: false }));

/** Rows that are completed in one frame after the list was fast. */
const ROWS_PER_FRAME = 6;
/** Rows to complete, in the order in which they appeared. */
const incomplete = new Set<() => void>();
// Never disposed: it lasts as long as the page.
const scope = new Scope();
let stop: (() => void) | null = null;

function completeRows(): void {
  for (const complete of [...incomplete].slice(0, ROWS_PER_FRAME)) {
    incomplete.delete(complete);
    complete();
  }
  if (incomplete.size > 0 && !listMotion.getState().isFast) return;
  stop?.();
  stop = null;
}

function requestRows(): void {
  if (incomplete.size > 0 && !listMotion.getState().isFast) stop ??= scope.onAnimationFrame(completeRows);
}

listMotion.subscribe(requestRows);

/** Calls `act` in one of the next frames after the list is no longer fast. The returned function cancels it. */
export function whenListSlows(act: () => void): () => void {
  incomplete.add(act);
  requestRows();
  return () => void incomplete.delete(act);
}

/** Calls `act` as soon as the list rests; at once if it does. The returned function cancels it. */
export function whenListRests(act: () => void): () => void {
  if (!listMotion.getState().isMoving) {
    act();
    return () => undefined;
  }
  const unsubscribe = listMotion.subscribe(({ isMoving }) => {
    if (isMoving) return;
    unsubscribe();
    act();
  });
  return unsubscribe;
}

import type { Scope } from '@stem-studio/audio/base/scope';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DjEngine } from '../../../state/decks/dj-engine.ts';

/** Correction of the rate per second of lag. */
const CATCH_UP = 8;
const FASTEST = 16;

/**
 * Playback rate that lets the audio follow a drag on the platter: the rate of the drag, corrected by the lag.
 *
 * @param dragRate seconds of the track that the drag moves per second
 * @param lagSeconds position of the drag less the playback position
 */
export function scratchRate(dragRate: number, lagSeconds: number): number {
  const rate = dragRate + lagSeconds * CATCH_UP;
  return Math.min(FASTEST, Math.max(-FASTEST, Math.abs(rate) < 0.004 ? 0 : rate));
}

/** A scratch in progress. */
export interface ScratchDrag {
  /** @param songSeconds distance of the drag since its start, in seconds of the track */
  move(songSeconds: number): void;
  end(): void;
}

/**
 * Starts a scratch: the deck stops, follows the drag in every animation frame, and continues when the drag ends.
 */
export function startScratch(
  scope: Scope,
  { decks, animation, status }: DjEngine,
  deck: DeckId,
): ScratchDrag {
  const from = decks.positionSeconds(deck);
  const drag = scope.child();
  let target = from;
  let before = from;
  let at = 0;
  decks.scratch(deck, 0);
  animation.add(drag, (timeMs) => {
    const since = at === 0 ? 0 : (timeMs - at) / 1000;
    at = timeMs;
    const dragRate = since > 0 ? (target - before) / since : 0;
    before = target;
    decks.scratch(deck, scratchRate(dragRate, target - decks.positionSeconds(deck)));
    return true;
  });
  return {
    move: (songSeconds) => {
      target = Math.max(0, from + songSeconds);
    },
    end: () => {
      if (drag.isDisposed) return;
      drag.dispose();
      decks.scratch(deck, null);
      // If another window plays the audio, nothing was scratched here: the track jumps to the end of the drag.
      if (!status.getState().isSounding && target !== from)
        decks.dispatch({ event: 'seek', deck, position_ms: target * 1000 });
    },
  };
}

import { deckIds } from '../resources/deck-id.ts';
import type { DeckLoop, DeckSessionState, DeckState } from '../resources/deck-session.ts';

/** Takes positions from a beat grid to an edited one, in seconds of the track. */
export interface PositionMove {
  /** Returns the position on the same beat of the edited grid; null for a position that is on no beat. */
  readonly onBeat: (seconds: number) => number | null;
  /** Returns the position at the same fraction between two beats. */
  readonly between: (seconds: number) => number;
}

/**
 * Returns a deck session after the beat grid of a track was edited: on decks that hold the track, the cue point, hot
 * cues and loops that were on a beat are on the same beat of the edited grid. Others stay, as does what would leave the
 * track, and a cue point at its beginning.
 */
export function moveWithGrid(
  session: DeckSessionState,
  track_id: string,
  move: PositionMove,
): DeckSessionState {
  return deckIds.reduce((before, id) => {
    const deck = before.decks[id];
    if (deck.track_id !== track_id) return before;
    return { ...before, decks: { ...before.decks, [id]: moveDeck(deck, move) } };
  }, session);
}

function moveDeck(deck: DeckState, move: PositionMove): DeckState {
  const { duration_ms } = deck;
  const loopOf = (loop: DeckLoop | null) => {
    if (!loop) return null;
    const [start_ms, end_ms] = movedRange([loop.start_ms, loop.end_ms], duration_ms, move);
    return { ...loop, start_ms, end_ms };
  };
  return {
    ...deck,
    cue_ms: movedMs(deck.cue_ms, duration_ms, move),
    loop: loopOf(deck.loop),
    stems: deck.stems.map((stem) => ({ ...stem, loop: loopOf(stem.loop) })),
    hot_cues: deck.hot_cues.map((cue) => {
      if (cue.end_ms === null) return { ...cue, position_ms: movedMs(cue.position_ms, duration_ms, move) };
      const [position_ms, end_ms] = movedRange([cue.position_ms, cue.end_ms], duration_ms, move);
      return { ...cue, position_ms, end_ms };
    }),
  };
}

/** Returns the moved position of a beat; the same position on no beat, at the beginning, or beyond the track. */
export function movedMs(ms: number, durationMs: number, move: PositionMove): number {
  const seconds = ms === 0 ? null : move.onBeat(ms / 1000);
  const moved = seconds === null ? ms : seconds * 1000;
  return moved >= 0 && moved <= durationMs ? moved : ms;
}

/** Returns a range whose start was on a beat with the same length in beats; an end on a beat stays on one. */
function movedRange(
  [start, end]: readonly [number, number],
  durationMs: number,
  move: PositionMove,
): [start: number, end: number] {
  const from = move.onBeat(start / 1000);
  if (from === null) return [start, end];
  const to = move.onBeat(end / 1000) ?? move.between(end / 1000);
  const isInside = from >= 0 && to > from && to * 1000 <= durationMs;
  return isInside ? [from * 1000, to * 1000] : [start, end];
}

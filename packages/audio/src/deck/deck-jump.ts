import { deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckLoop, DeckState } from '@stem-studio/contract/resources/deck-session';

/** Largest difference between the predictions of windows for a playing deck, by clock and network, that is no jump. */
const SAME_MS = 150;
/** A paused deck is known exactly. */
const SAME_STANDING_MS = 0.5;
/** Largest delay between a command here and the time that the service stamps it with. */
const LATE_MS = 1000;

/** Target of a jump. */
export interface DeckJump {
  ms: number;
  /** The deck continues from the nearest position in phase with the music. */
  keepsPhase: boolean;
}

/**
 * Returns the jump that a playing deck has to make because of another window, or null. Small differences of a playing
 * deck are those of clocks: the engine is right.
 *
 * @param audibleMs the audible position
 * @param now milliseconds of the clock of `position_at`
 * @param isMoved whether another window moved the deck: then no jump is too small, and commands of this window cause
 *   none. Where unknown, the difference decides.
 */
export function jumpBetween(
  before: DeckState,
  after: DeckState,
  audibleMs: number,
  now: number,
  isMoved?: boolean,
): DeckJump | null {
  if (isMoved === false && after.track_id === before.track_id) return null;
  // A command of this window that comes back with the service's timestamp.
  const isOwn = !isMoved && Math.abs(after.position_at - before.position_at) < LATE_MS;
  if (after.position_ms === before.position_ms && isOwn) return null;
  const ms = deckPositionMs(after, now);
  const isTolerant = (before.is_playing || after.is_playing) && !(isMoved && isRepositioned(before, after));
  // From one active loop into another the engine moves by itself.
  const isInside = before.loop?.active && audibleMs >= before.loop.start_ms && audibleMs < before.loop.end_ms;
  const comparedMs = isInside && after.loop?.active ? roundMs(after.loop, audibleMs) : audibleMs;
  if (distanceMs(after, ms, comparedMs) <= (isTolerant ? SAME_MS : SAME_STANDING_MS)) return null;
  return { ms, keepsPhase: false };
}

/**
 * Whether a change only moves the position, or goes to a cue. Other commands carry the position that a window assumed.
 */
function isRepositioned(before: DeckState, after: DeckState): boolean {
  const { position_ms, hot_cues } = after;
  if (position_ms === (after.is_playing ? after.loop?.start_ms : after.cue_ms)) return true;
  if (hot_cues.some((cue) => cue.position_ms === position_ms)) return true;
  return before.is_playing === after.is_playing && isSameLoop(before.loop, after.loop);
}

function isSameLoop(one: DeckLoop | null, other: DeckLoop | null): boolean {
  return one?.start_ms === other?.start_ms && one?.end_ms === other?.end_ms && one?.active === other?.active;
}

/** Returns the jump that a message of this window causes; null where nothing moves. */
export function jumpOfMessage(
  message: Exclude<DeckMessage, { event: 'set_mixer' }>,
  before: DeckState,
  after: DeckState,
  audibleMs: number,
): DeckJump | null {
  switch (message.event) {
    // The same song again: it is loaded already and starts again.
    case 'load_track':
    case 'seek':
    case 'jump_to_cue':
      return { ms: after.position_ms, keepsPhase: false };
    case 'trigger_cue':
      return { ms: after.position_ms, keepsPhase: before.is_playing && before.is_quantized };
    case 'play':
    case 'pause':
    case 'toggle_play':
    case 'set_loop': {
      if (message.event === 'set_loop' && message.stem_type) return null;
      const limit = before.is_playing ? SAME_MS : SAME_STANDING_MS;
      if (distanceMs(after, after.position_ms, audibleMs) <= limit) return null;
      return { ms: after.position_ms, keepsPhase: false };
    }
    default:
      return null;
  }
}

/** Returns the distance between two positions: in an active loop the shorter way round. */
export function distanceMs({ loop }: DeckState, one: number, other: number): number {
  const direct = Math.abs(one - other);
  const isInLoop = (ms: number) => loop?.active === true && ms >= loop.start_ms && ms <= loop.end_ms;
  if (!loop || !isInLoop(one) || !isInLoop(other)) return direct;
  return Math.min(direct, loop.end_ms - loop.start_ms - direct);
}

/** Returns the position within a loop that repeats endlessly in both directions. */
function roundMs(loop: DeckLoop, ms: number): number {
  const length = loop.end_ms - loop.start_ms;
  return loop.start_ms + ((((ms - loop.start_ms) % length) + length) % length);
}

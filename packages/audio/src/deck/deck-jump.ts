import { deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckLoop, DeckState } from '@stem-studio/contract/resources/deck-session';

/** Windows reckon a deck that plays this differently, by their clocks and the way of their messages: no jump yet. */
const SAME_MS = 150;
/** A deck that stands is known exactly. */
const SAME_STANDING_MS = 0.5;
/** The service stamps what was done here with the moment at which it heard of it: no later than this. */
const LATE_MS = 1000;

/** A place to go to. */
export interface DeckJump {
  ms: number;
  /** The deck goes on from the nearest place in time with the music. */
  keepsPhase: boolean;
}

/**
 * Where a deck that sounds has to jump because of what another window did, or null where it goes on as it is: small
 * differences of a playing deck are those of clocks, and what sounds is right.
 *
 * @param audibleMs where it is heard now
 * @param now milliseconds of the clock of `position_at`
 * @param isMoved whether another window put it elsewhere: then no jump is too small, and none is scheduled for what was done
 *   here. Where it is not known, it is judged by what differs.
 */
export function jumpBetween(
  before: DeckState,
  after: DeckState,
  audibleMs: number,
  now: number,
  isMoved?: boolean,
): DeckJump | null {
  if (isMoved === false && after.track_id === before.track_id) return null;
  // What was done here, as it comes back with the service's moment.
  const isOwn = !isMoved && Math.abs(after.position_at - before.position_at) < LATE_MS;
  if (after.position_ms === before.position_ms && isOwn) return null;
  const ms = deckPositionMs(after, now);
  const isTolerant = (before.is_playing || after.is_playing) && !(isMoved && isRepositioned(before, after));
  // Out of one loop into another the booth goes by itself.
  const isInside = before.loop?.active && audibleMs >= before.loop.start_ms && audibleMs < before.loop.end_ms;
  const heard = isInside && after.loop?.active ? roundMs(after.loop, audibleMs) : audibleMs;
  if (distanceMs(after, ms, heard) <= (isTolerant ? SAME_MS : SAME_STANDING_MS)) return null;
  return { ms, keepsPhase: false };
}

/**
 * Whether a change is one of the place alone, or to a cue, a hot cue among them: other presses tell the place where a window
 * believed the deck.
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

/** Where a window's own message makes its deck jump; null for one that moves nothing. */
export function jumpOfMessage(
  message: Exclude<DeckMessage, { event: 'set_mixer' }>,
  before: DeckState,
  after: DeckState,
  audibleMs: number,
): DeckJump | null {
  switch (message.event) {
    // The same song once more: it is here already, and begins anew.
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

/** How far two places are from each other: in an active loop by the shorter way round. */
export function distanceMs({ loop }: DeckState, one: number, other: number): number {
  const direct = Math.abs(one - other);
  const isInLoop = (ms: number) => loop?.active === true && ms >= loop.start_ms && ms <= loop.end_ms;
  if (!loop || !isInLoop(one) || !isInLoop(other)) return direct;
  return Math.min(direct, loop.end_ms - loop.start_ms - direct);
}

/** Where a place falls in a loop that is gone round on both sides without end. */
function roundMs(loop: DeckLoop, ms: number): number {
  const length = loop.end_ms - loop.start_ms;
  return loop.start_ms + ((((ms - loop.start_ms) % length) + length) % length);
}

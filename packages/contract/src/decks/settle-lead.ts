import { type DeckId, type DeckSessionState, type DeckState, deckIds } from '../resources/deck-session.ts';
import { otherDeck } from './deck-session-state.ts';
import { withTempo } from './deck-tempo.ts';
import { playedBpm, syncedTempoPercent } from './synced-tempo.ts';

/**
 * Whether sync on a deck has something to follow: a track with a tempo on the other deck, which plays, or stands as this
 * one does. What plays alone leads, and master sync locks deck B to deck A whatever they do.
 */
export function canFollow({ decks, mixer }: DeckSessionState, id: DeckId): boolean {
  const own = decks[id];
  const other = decks[otherDeck(id)];
  if (mixer.is_master_synced && id === 'b') return true;
  if (other.track_id === null || isTempoless(other) || isTempoless(own)) return false;
  return other.is_playing || !own.is_playing;
}

/** Whether a deck is bound to the tempo of the other one, which then leads. */
export function followsOther({ decks, mixer }: DeckSessionState, id: DeckId): boolean {
  return decks[id].is_synced && mixer.master_deck === otherDeck(id);
}

/**
 * A deck session once deck `id` has changed from what it was in `before`: who leads, and the tempo of the deck that
 * follows. A deck is synced as long as it follows, and never are both.
 *
 * @param now milliseconds of the service's clock
 */
export function settleLead(
  before: DeckSessionState,
  session: DeckSessionState,
  id: DeckId,
  now: number,
): DeckSessionState {
  const synced = settleSync(before, session, id);
  const follower = deckIds.find((deck) => synced.decks[deck].is_synced);
  const master_deck = follower ? otherDeck(follower) : playingLead(synced, id);
  const led =
    master_deck === synced.mixer.master_deck
      ? synced
      : { ...synced, mixer: { ...synced.mixer, master_deck } };
  if (!follower) return led;
  const deck = led.decks[follower];
  const bpm = playedBpm(led.decks[otherDeck(follower)]);
  if (bpm === null || deck.track_bpm === null) return led;
  // One that followed already keeps its octave while it can, as the booth does: it must not leap by a touch.
  const held = followsOther(before, follower) ? (playedBpm(deck) ?? bpm) / bpm : null;
  return withDeck(led, follower, withTempo(deck, syncedTempoPercent(bpm, deck.track_bpm, held), now));
}

/** A deck session with another deck; the same where the deck is the same. */
export function withDeck(session: DeckSessionState, id: DeckId, deck: DeckState): DeckSessionState {
  if (deck === session.decks[id]) return session;
  return { ...session, decks: { ...session.decks, [id]: deck } };
}

/** A song without beats. What the service is yet to say of a song that is being loaded is no lack of them. */
function isTempoless(deck: DeckState): boolean {
  return deck.track_bpm === null && deck.duration_ms > 0;
}

/** Leaves sync on where a deck follows: on the one that was synced last, if it has something to follow. */
function settleSync(before: DeckSessionState, session: DeckSessionState, id: DeckId): DeckSessionState {
  const isPressed = session.decks[id].is_synced && !before.decks[id].is_synced;
  if (isPressed && canFollow(session, id)) return unsynced(session, otherDeck(id));
  const honest = deckIds.reduce(
    (all, deck) => (canFollow(all, deck) ? all : unsynced(all, deck)),
    endedMasterSync(session),
  );
  if (!honest.decks.a.is_synced || !honest.decks.b.is_synced) return honest;
  return unsynced(honest, honest.mixer.is_master_synced ? 'a' : (honest.mixer.master_deck ?? otherDeck(id)));
}

/** A deck that is synced no more; with deck B, master sync ends. */
function unsynced(session: DeckSessionState, id: DeckId): DeckSessionState {
  const deck = session.decks[id];
  if (!deck.is_synced) return session;
  return endedMasterSync(withDeck(session, id, { ...deck, is_synced: false }));
}

function endedMasterSync(session: DeckSessionState): DeckSessionState {
  if (!session.mixer.is_master_synced || session.decks.b.is_synced) return session;
  return { ...session, mixer: { ...session.mixer, is_master_synced: false } };
}

/** The deck that leads where none follows: the one that did, while it plays; else one that plays. */
function playingLead({ decks, mixer }: DeckSessionState, id: DeckId): DeckId | null {
  const leads = mixer.master_deck;
  if (leads !== null && decks[leads].is_playing) return leads;
  if (decks[id].is_playing) return id;
  const other = otherDeck(id);
  return decks[other].is_playing ? other : null;
}

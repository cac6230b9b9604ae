import { type DeckId, deckIds } from '../resources/deck-id.ts';
import type { DeckSessionState, DeckState } from '../resources/deck-session.ts';
import { otherDeck } from './deck-session-state.ts';
import { withTempo } from './deck-tempo.ts';
import { playedBpm, syncedTempoPercent } from './synced-tempo.ts';

/**
 * Returns whether sync on a deck has something to follow: a track with a tempo on the other deck that plays, or is
 * stopped like this deck. A deck that plays alone leads. Master sync locks deck B to deck A in every state.
 */
export function canFollow({ decks, mixer }: DeckSessionState, id: DeckId): boolean {
  const own = decks[id];
  const other = decks[otherDeck(id)];
  if (mixer.is_master_synced && id === 'b') return true;
  if (other.track_id === null || isTempoless(other) || isTempoless(own)) return false;
  return other.is_playing || !own.is_playing;
}

/** Returns whether a deck follows the tempo of the other deck, which then leads. */
export function followsOther({ decks, mixer }: DeckSessionState, id: DeckId): boolean {
  return decks[id].is_synced && mixer.master_deck === otherDeck(id);
}

/**
 * Returns a deck session with leader, sync and follower tempo updated after deck `id` has changed. A deck is synced
 * only while it follows; both decks are never synced at once.
 *
 * @param before session before the change
 * @param now time of the service's clock, in ms
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
  // A deck that already followed keeps its octave while possible, as in the DJ engine, so that a small change causes
  // no jump.
  const held = followsOther(before, follower) ? (playedBpm(deck) ?? bpm) / bpm : null;
  return withDeck(led, follower, withTempo(deck, syncedTempoPercent(bpm, deck.track_bpm, held), now));
}

/** Returns a deck session with a deck replaced, or the same object if the deck is the same. */
export function withDeck(session: DeckSessionState, id: DeckId, deck: DeckState): DeckSessionState {
  if (deck === session.decks[id]) return session;
  return { ...session, decks: { ...session.decks, [id]: deck } };
}

/**
 * Returns whether a deck holds a track without beats. A track still being loaded, whose properties are unknown, does
 * not count.
 */
function isTempoless(deck: DeckState): boolean {
  return deck.track_bpm === null && deck.duration_ms > 0;
}

/** Keeps sync only on a deck that can follow: the one that was synced last, if it has something to follow. */
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

/** Switches sync of a deck off. For deck B this also ends master sync. */
function unsynced(session: DeckSessionState, id: DeckId): DeckSessionState {
  const deck = session.decks[id];
  if (!deck.is_synced) return session;
  return endedMasterSync(withDeck(session, id, { ...deck, is_synced: false }));
}

function endedMasterSync(session: DeckSessionState): DeckSessionState {
  if (!session.mixer.is_master_synced || session.decks.b.is_synced) return session;
  return { ...session, mixer: { ...session.mixer, is_master_synced: false } };
}

/** Returns the leader when no deck follows: the previous one while it plays, else a deck that plays. */
function playingLead({ decks, mixer }: DeckSessionState, id: DeckId): DeckId | null {
  const leads = mixer.master_deck;
  if (leads !== null && decks[leads].is_playing) return leads;
  if (decks[id].is_playing) return id;
  const other = otherDeck(id);
  return decks[other].is_playing ? other : null;
}

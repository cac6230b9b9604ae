import type { DeckMessage } from '../events/decks.ts';
import { deckIds } from '../resources/deck-id.ts';
import type { DeckSessionState, DeckState, HotCue } from '../resources/deck-session.ts';
import type { StemType } from '../resources/stem.ts';
import { settleAutoGain } from './auto-gain.ts';
import { carryDeck, setDeckPosition } from './carry-deck.ts';
import { createDeckStem, emptyDeck } from './deck-session-state.ts';
import { tempoRangeHolding, withTempo } from './deck-tempo.ts';
import { canFollow, settleLead, withDeck } from './settle-lead.ts';
import { NOMINAL_BPM } from './synced-tempo.ts';

/** Data that the effect of a message depends on and that the message does not contain. */
export interface DeckFacts {
  /** Time of the service's clock, in ms. */
  now: number;
  /** Properties of the track of a `load_track` message. */
  track?: {
    track_bpm: number | null;
    duration_ms: number;
    hot_cues: readonly HotCue[];
    /** Null, as without the field, where it was not measured. */
    loudness_lufs?: number | null;
    true_peak_db?: number | null;
    /** Separation to load with the track; null, as without the field, for none. */
    separation?: { processing_job_id: string; stems: readonly StemType[] } | null;
  };
  /** Stem types of the separation of a `load_stems` message. */
  stems?: readonly StemType[];
}

/**
 * Returns the deck session after a message. The service and every window use this function, so their states agree.
 * Returns the same object if the message has no effect.
 *
 * @spec DJ decks
 */
export function applyDeckMessage(
  session: DeckSessionState,
  message: DeckMessage,
  facts: DeckFacts,
): DeckSessionState {
  return settleAutoGain(changeSession(session, message, facts));
}

function changeSession(session: DeckSessionState, message: DeckMessage, facts: DeckFacts): DeckSessionState {
  if (message.event === 'set_mixer') return withMixer(session, message.changes, facts.now);
  if (message.event === 'set_deck' && isSyncInVain(session, message)) {
    const { is_synced: _, ...changes } = message.changes;
    if (Object.keys(changes).length === 0) return session;
    return changeSession(session, { ...message, changes }, facts);
  }
  const deck = session.decks[message.deck];
  const changed = changeDeck(deck, message, facts);
  if (changed === deck) return session;
  return settleLead(session, withDeck(session, message.deck, changed), message.deck, facts.now);
}

/**
 * Returns a deck session after the recorded tempo of a track has changed. Decks that hold the track keep their
 * playback rate and position; decks that follow another deck, or follow these, are matched to the new tempo.
 *
 * @param track_bpm recorded tempo in beats per minute; null if the track has none
 * @param now time of the service's clock, in ms
 */
export function applyTrackTempo(
  session: DeckSessionState,
  track_id: string,
  track_bpm: number | null,
  now: number,
): DeckSessionState {
  return deckIds.reduce((before, id) => {
    const deck = before.decks[id];
    if (deck.track_id !== track_id || deck.track_bpm === track_bpm) return before;
    return settleLead(before, withDeck(before, id, { ...deck, track_bpm }), id, now);
  }, session);
}

/** Returns whether a message switches sync on for a deck that has nothing to follow. */
function isSyncInVain(
  session: DeckSessionState,
  { deck, changes }: DeckMessage & { event: 'set_deck' },
): boolean {
  return changes.is_synced === true && !session.decks[deck].is_synced && !canFollow(session, deck);
}

type OneDeckMessage = Exclude<DeckMessage, { event: 'set_mixer' }>;

function changeDeck(deck: DeckState, message: OneDeckMessage, facts: DeckFacts): DeckState {
  const { now } = facts;
  switch (message.event) {
    case 'load_track':
      return loadTrack(deck, message.track_id, facts);
    case 'toggle_play':
      return setPlaying(deck, !deck.is_playing, message.position_ms, now);
    case 'play':
      return setPlaying(deck, true, message.position_ms, now);
    case 'pause':
      return setPlaying(deck, false, message.position_ms, now);
    case 'seek':
    case 'report_position':
      return deck.track_id === null ? deck : setDeckPosition(deck, message.position_ms, now);
    case 'set_cue':
      return deck.track_id === null
        ? deck
        : { ...deck, cue_ms: Math.min(message.position_ms, deck.duration_ms) };
    case 'jump_to_cue':
      return deck.track_id === null
        ? deck
        : { ...setDeckPosition(deck, deck.cue_ms, now), is_playing: false };
    case 'trigger_cue':
      return triggerCue(deck, message.slot, now);
    case 'set_hot_cue':
      return setHotCue(deck, message.slot, message.cue && { ...message.cue, slot: message.slot });
    case 'set_loop':
      return setLoop(deck, message, now);
    case 'update_bpm':
    case 'set_bpm':
      return withTempo(deck, 100 * (message.bpm / (deck.track_bpm ?? NOMINAL_BPM) - 1), now);
    case 'set_deck':
      return withSwitches(deck, message.changes);
    case 'set_strip':
      return { ...deck, strip: { ...deck.strip, ...message.changes } };
    case 'set_effect':
      return withEffect(deck, message);
    case 'load_stems':
      return {
        ...deck,
        processing_job_id: message.processing_job_id,
        stems: message.processing_job_id === null ? [] : (facts.stems ?? []).map(createDeckStem),
      };
    case 'update_volume':
      return withStem(deck, message.stem_type, { volume: message.volume });
    case 'set_stem':
      return withStem(deck, message.stem_type, message.changes);
  }
}

function loadTrack(deck: DeckState, track_id: string | null, { now, track }: DeckFacts): DeckState {
  const { tempo_range, is_key_locked, is_synced, is_quantized, is_slipping, strip, effects } = deck;
  return {
    ...emptyDeck,
    tempo_range,
    is_key_locked,
    is_synced,
    is_quantized,
    is_slipping,
    strip,
    effects,
    position_at: now,
    track_id,
    ...(track_id !== null && track && loadedTrack(track)),
  };
}

function loadedTrack({
  separation,
  hot_cues,
  ...track
}: NonNullable<DeckFacts['track']>): Partial<DeckState> {
  return {
    ...track,
    hot_cues: [...hot_cues],
    ...(separation && {
      processing_job_id: separation.processing_job_id,
      stems: separation.stems.map(createDeckStem),
    }),
  };
}

function setPlaying(
  deck: DeckState,
  is_playing: boolean,
  position: number | undefined,
  now: number,
): DeckState {
  if (deck.track_id === null) return deck;
  const there = position === undefined ? carryDeck(deck, now) : setDeckPosition(deck, position, now);
  return { ...there, is_playing };
}

function triggerCue(deck: DeckState, slot: number, now: number): DeckState {
  const cue = deck.hot_cues.find((one) => one.slot === slot);
  if (!cue) return deck;
  const loop =
    cue.end_ms === null ? deck.loop : { start_ms: cue.position_ms, end_ms: cue.end_ms, active: true };
  return { ...setDeckPosition(deck, cue.position_ms, now), loop };
}

function setHotCue(deck: DeckState, slot: number, cue: HotCue | null): DeckState {
  if (deck.track_id === null) return deck;
  const others = deck.hot_cues.filter((one) => one.slot !== slot);
  const hot_cues = cue ? [...others, cue].sort((one, other) => one.slot - other.slot) : others;
  return { ...deck, hot_cues };
}

function setLoop(deck: DeckState, message: OneDeckMessage & { event: 'set_loop' }, now: number): DeckState {
  if (deck.track_id === null) return deck;
  if (message.stem_type) return withStem(deck, message.stem_type, { loop: message.loop });
  const { position_ms, loop } = message;
  return {
    ...(position_ms === undefined ? carryDeck(deck, now) : setDeckPosition(deck, position_ms, now)),
    loop,
  };
}

function withSwitches(
  deck: DeckState,
  changes: (OneDeckMessage & { event: 'set_deck' })['changes'],
): DeckState {
  const changed = { ...deck, ...changes };
  return { ...changed, tempo_range: tempoRangeHolding(deck.tempo_percent, changed.tempo_range) };
}

function withEffect(deck: DeckState, { slot, changes }: OneDeckMessage & { event: 'set_effect' }): DeckState {
  const [first, second] = deck.effects;
  return {
    ...deck,
    effects: slot === 0 ? [{ ...first, ...changes }, second] : [first, { ...second, ...changes }],
  };
}

function withStem(
  deck: DeckState,
  stem_type: StemType,
  change: Partial<DeckState['stems'][number]>,
): DeckState {
  if (!deck.stems.some((stem) => stem.stem_type === stem_type)) return deck;
  return {
    ...deck,
    stems: deck.stems.map((stem) => (stem.stem_type === stem_type ? { ...stem, ...change } : stem)),
  };
}

function withMixer(
  session: DeckSessionState,
  { effect, ...changes }: (DeckMessage & { event: 'set_mixer' })['changes'],
  now: number,
): DeckSessionState {
  const { mixer } = session;
  // Another window plays the audio now, or the same one again.
  const left = changes.sound_client === undefined ? {} : { audio_left_at: null };
  const next = {
    ...session,
    mixer: { ...mixer, ...left, ...changes, effect: { ...mixer.effect, ...effect } },
  };
  if (changes.is_master_synced === undefined && changes.master_deck === undefined) return next;
  const isBound = mixer.is_master_synced && session.decks.b.is_synced;
  if (!changes.is_master_synced || isBound) return settleLead(session, next, 'a', now);
  const locked = { ...next.decks.b, is_synced: true, is_key_locked: true };
  return settleLead(session, withDeck(next, 'b', locked), 'b', now);
}

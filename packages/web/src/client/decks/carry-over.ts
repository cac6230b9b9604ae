import { hotCuePads } from '@stem-studio/contract/controls';
import { createDeckStem } from '@stem-studio/contract/decks/deck-session-state';
import { isSame } from '@stem-studio/contract/decks/is-same';
import { NOMINAL_BPM } from '@stem-studio/contract/decks/synced-tempo';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';

/**
 * Decides what happens to a window's decks when a new login gives it another session: `carry` them over to it;
 * `follow` its state; or stay `apart`, because the decks play here and the session has other decks.
 *
 * @param own decks of this window, and the window that plays the audio
 * @param other the new session
 * @param client name of this window
 */
export function meetOther(
  own: DeckSessionState,
  other: DeckSessionState,
  client: string,
): 'carry' | 'follow' | 'apart' {
  const { sound_client } = own.mixer;
  if (isEmpty(own)) return 'follow';
  if (isEmpty(other)) return sound_client === null || sound_client === client ? 'carry' : 'follow';
  return sound_client === client && deckIds.some((deck) => own.decks[deck].is_playing) ? 'apart' : 'follow';
}

function isEmpty({ decks }: DeckSessionState): boolean {
  return deckIds.every((deck) => decks[deck].track_id === null);
}

/** Returns the messages that turn an empty session into `own`. */
export function carryOver(own: DeckSessionState): DeckMessage[] {
  const { is_master_synced, master_deck, ...mixer } = own.mixer;
  const loaded = deckIds.filter((deck) => own.decks[deck].track_id !== null);
  // The leader is started first; sync is set once both decks are loaded.
  const inOrder = loaded.toSorted(
    (one, other) => Number(other === master_deck) - Number(one === master_deck),
  );
  const { a, b } = own.decks;
  return [
    { event: 'set_mixer', changes: mixer },
    ...loaded.flatMap((deck) => loadDeck(own, deck)),
    ...deckIds.flatMap((deck) => setDeck(own, deck)),
    ...inOrder.map((deck) => positionMessage(own, deck)),
    ...(is_master_synced ? [{ event: 'set_mixer', changes: { is_master_synced } } as const] : []),
    ...(a.is_synced ? [bind('a')] : []),
    ...(b.is_synced && !is_master_synced ? [bind('b')] : []),
    // Master sync has switched key lock on.
    ...(is_master_synced && !b.is_key_locked
      ? [{ event: 'set_deck', deck: 'b', changes: { is_key_locked: false } } as const]
      : []),
  ];
}

function bind(deck: DeckId): DeckMessage {
  return { event: 'set_deck', deck, changes: { is_synced: true } };
}

function loadDeck({ decks }: DeckSessionState, deck: DeckId): DeckMessage[] {
  const { track_id, processing_job_id, hot_cues, cue_ms, loop, stems } = decks[deck];
  // Loading a track again fills its hot cues, so slots that are empty here are cleared.
  const emptied = Array.from({ length: hotCuePads }, (_, slot) => slot).filter(
    (slot) => !hot_cues.some((cue) => cue.slot === slot),
  );
  return [
    { event: 'load_track', deck, track_id },
    // Loading a track loads its stems; a deck without them plays the mix.
    { event: 'load_stems', deck, processing_job_id },
    { event: 'set_cue', deck, position_ms: cue_ms },
    ...hot_cues.map(({ slot, ...cue }) => ({ event: 'set_hot_cue', deck, slot, cue }) as const),
    ...emptied.map((slot) => ({ event: 'set_hot_cue', deck, slot, cue: null }) as const),
    ...(loop ? [{ event: 'set_loop', deck, loop } as const] : []),
    ...stems
      .filter((stem) => !isSame(stem, createDeckStem(stem.stem_type)))
      .flatMap(({ stem_type, volume, is_muted, is_soloed, loop: ofStem }): DeckMessage[] => [
        { event: 'update_volume', deck, stem_type, volume },
        { event: 'set_stem', deck, stem_type, changes: { is_muted, is_soloed } },
        ...(ofStem ? [{ event: 'set_loop', deck, stem_type, loop: ofStem } as const] : []),
      ]),
  ];
}

/** Returns the messages for settings that a deck has even without a track. */
function setDeck({ decks }: DeckSessionState, deck: DeckId): DeckMessage[] {
  const { strip, effects, track_bpm, tempo_percent, ...switches } = decks[deck];
  const { is_key_locked, is_quantized, is_slipping, key_semitones, tempo_range } = switches;
  const bpm = (track_bpm ?? NOMINAL_BPM) * (1 + tempo_percent / 100);
  const changes = { is_key_locked, is_quantized, is_slipping, key_semitones, tempo_range };
  return [
    ...(tempo_percent === 0 ? [] : [{ event: 'update_bpm', deck, bpm } as const]),
    { event: 'set_deck', deck, changes },
    { event: 'set_strip', deck, changes: strip },
    ...effects.map((changes, slot) => ({ event: 'set_effect', deck, slot, changes }) as const),
  ];
}

function positionMessage({ decks }: DeckSessionState, deck: DeckId): DeckMessage {
  const { is_playing, position_ms } = decks[deck];
  return { event: is_playing ? 'play' : 'seek', deck, position_ms };
}

import { hotCuePads } from '@stem-studio/contract/controls';
import { createDeckStem } from '@stem-studio/contract/decks/deck-session-state';
import { isSame } from '@stem-studio/contract/decks/is-same';
import { NOMINAL_BPM } from '@stem-studio/contract/decks/synced-tempo';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { type DeckId, type DeckSessionState, deckIds } from '@stem-studio/contract/resources/deck-session';

/**
 * What becomes of a window's decks when it is given another session than the one it had, because its login has ended and
 * another has begun: `carry` them into it; `follow` what is there; or stay `apart`, since something plays here and other
 * decks were begun there meanwhile.
 *
 * @param own the decks of this window, and which window sounds
 * @param other the session that it is given
 * @param client this window's name
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

/** What has to be said to an empty session so that it is what `own` is. */
export function carryOver(own: DeckSessionState): DeckMessage[] {
  const { is_master_synced, master_deck, ...mixer } = own.mixer;
  const loaded = deckIds.filter((deck) => own.decks[deck].track_id !== null);
  // The deck that leads plays first, and what follows is bound once both are there.
  const inOrder = loaded.toSorted(
    (one, other) => Number(other === master_deck) - Number(one === master_deck),
  );
  const { a, b } = own.decks;
  return [
    { event: 'set_mixer', changes: mixer },
    ...loaded.flatMap((deck) => loadDeck(own, deck)),
    ...deckIds.flatMap((deck) => setDeck(own, deck)),
    ...inOrder.map((deck) => placeDeck(own, deck)),
    ...(is_master_synced ? [{ event: 'set_mixer', changes: { is_master_synced } } as const] : []),
    ...(a.is_synced ? [bind('a')] : []),
    ...(b.is_synced && !is_master_synced ? [bind('b')] : []),
    // Master sync has locked it.
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
  // Pads that are empty here are filled where a track is loaded anew.
  const emptied = Array.from({ length: hotCuePads }, (_, slot) => slot).filter(
    (slot) => !hot_cues.some((cue) => cue.slot === slot),
  );
  return [
    { event: 'load_track', deck, track_id },
    ...(processing_job_id === null ? [] : [{ event: 'load_stems', deck, processing_job_id } as const]),
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

/** What a deck without a track has too. */
function setDeck({ decks }: DeckSessionState, deck: DeckId): DeckMessage[] {
  const { strip, track_bpm, tempo_percent, ...switches } = decks[deck];
  const { is_key_locked, is_quantized, is_slipping, key_semitones, tempo_range } = switches;
  const bpm = (track_bpm ?? NOMINAL_BPM) * (1 + tempo_percent / 100);
  const changes = { is_key_locked, is_quantized, is_slipping, key_semitones, tempo_range };
  return [
    ...(tempo_percent === 0 ? [] : [{ event: 'update_bpm', deck, bpm } as const]),
    { event: 'set_deck', deck, changes },
    { event: 'set_strip', deck, changes: strip },
  ];
}

function placeDeck({ decks }: DeckSessionState, deck: DeckId): DeckMessage {
  const { is_playing, position_ms } = decks[deck];
  return { event: is_playing ? 'play' : 'seek', deck, position_ms };
}

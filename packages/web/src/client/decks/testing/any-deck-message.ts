import { effectTypes } from '@stem-studio/contract/decks/effects';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import * as fc from 'fast-check';
import { deckSessionId, separation, tracks } from './deck-rules.ts';

const deck = fc.constantFrom('a', 'b');
const ms = fc.integer({ min: 0, max: 70_000 });
const level = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8);
const stem_type = fc.constantFrom('vocals', 'drums', 'bass');
const loop = fc.option(
  fc.tuple(ms, fc.integer({ min: 1, max: 9000 }), fc.boolean()).map(([start_ms, length, active]) => ({
    start_ms,
    end_ms: start_ms + length,
    active,
  })),
);
const at = fc.option(ms, { nil: undefined });
const messageOf = (event: DeckMessage['event'], fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
  fc.record(fields).map((payload) => JSON.parse(JSON.stringify({ event, ...payload })) as DeckMessage);
const effect = fc.record(
  {
    is_on: fc.boolean(),
    type: fc.constantFrom(...effectTypes),
    macro: level,
    wet: level,
    parameters: fc.tuple(level, level, level, level),
  },
  { requiredKeys: [] },
);
/** Arbitrary message of a window. */
export const anyDeckMessage: fc.Arbitrary<DeckMessage> = fc.oneof(
  messageOf('load_track', { deck, track_id: fc.constantFrom(...tracks, ...tracks, null, deckSessionId) }),
  messageOf('toggle_play', { deck, position_ms: at }),
  messageOf('play', { deck, position_ms: at }),
  messageOf('pause', { deck, position_ms: at }),
  messageOf('seek', { deck, position_ms: ms }),
  messageOf('set_cue', { deck, position_ms: ms }),
  messageOf('jump_to_cue', { deck }),
  messageOf('trigger_cue', { deck, slot: fc.constantFrom(0, 1) }),
  messageOf('set_loop', { deck, loop, position_ms: at }),
  messageOf('set_loop', { deck, loop, stem_type }),
  messageOf('update_bpm', { deck, bpm: fc.integer({ min: 60, max: 200 }) }),
  messageOf('set_deck', {
    deck,
    changes: fc.record({ is_synced: fc.boolean(), is_quantized: fc.boolean() }),
  }),
  messageOf('set_strip', {
    deck,
    changes: fc.record({ volume: level, eq_low: level }, { requiredKeys: [] }),
  }),
  messageOf('set_effect', { deck, slot: fc.constantFrom(0, 1), changes: effect }),
  messageOf('set_mixer', { changes: fc.record({ effect }) }),
  messageOf('load_stems', { deck, processing_job_id: fc.constantFrom(separation, null) }),
  messageOf('update_volume', { deck, stem_type, volume: level }),
  messageOf('set_stem', { deck, stem_type, changes: fc.record({ is_muted: fc.boolean() }) }),
  messageOf('set_mixer', { changes: fc.record({ crossfader: level }) }),
  messageOf('set_mixer', { changes: fc.record({ is_master_synced: fc.boolean() }) }),
  messageOf('report_position', { deck, position_ms: ms }),
);

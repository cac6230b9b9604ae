import type { DeckId } from '../resources/deck-id.ts';
import type {
  DeckSessionState,
  DeckState,
  DeckStem,
  DeckStrip,
  MixerState,
} from '../resources/deck-session.ts';
import type { StemType } from '../resources/stem.ts';
import { createEffectSlot } from './effect-slot.ts';

/** Channel strip with default settings. */
export const restingStrip: DeckStrip = {
  gain_db: 0,
  eq_low: 0,
  eq_mid: 0,
  eq_high: 0,
  kill_low: false,
  kill_mid: false,
  kill_high: false,
  filter: 0,
  volume: 1,
  is_cued: false,
};

/** State of a deck without a track. */
export const emptyDeck: DeckState = {
  track_id: null,
  track_bpm: null,
  duration_ms: 0,
  loudness_lufs: null,
  true_peak_db: null,
  auto_gain_db: 0,
  processing_job_id: null,
  stems: [],
  is_playing: false,
  position_ms: 0,
  position_at: 0,
  tempo_percent: 0,
  tempo_range: 8,
  is_key_locked: true,
  key_semitones: 0,
  is_synced: false,
  is_quantized: true,
  is_slipping: false,
  cue_ms: 0,
  hot_cues: [],
  loop: null,
  strip: restingStrip,
  effects: [createEffectSlot('echo'), createEffectSlot('reverb')],
};

const restingMixer: MixerState = {
  active_deck: 'a',
  crossfader: 0,
  crossfader_curve: 'linear',
  master_volume: 1,
  headphone_volume: 0.7,
  headphone_mix: -1,
  is_master_synced: false,
  master_deck: null,
  is_metronome_on: false,
  metronome_volume: 0.5,
  metronome_output: 'master',
  is_auto_gain_on: true,
  auto_gain_reference_lufs: -14,
  sync_unit: 'beat',
  is_loading_stems: true,
  brake_seconds: 1,
  spin_back_seconds: 0.7,
  sound_client: null,
  effect: createEffectSlot('echo'),
  audio_left_at: null,
};

/** Returns a session with two empty decks and a mixer with default settings. */
export function createDeckSessionState(): DeckSessionState {
  return { decks: { a: emptyDeck, b: emptyDeck }, mixer: restingMixer };
}

/** Returns the state of a stem right after loading. */
export function createDeckStem(stem_type: StemType): DeckStem {
  return { stem_type, volume: 1, is_muted: false, is_soloed: false, loop: null };
}

/** Returns the id of the other deck. */
export function otherDeck(deck: DeckId): DeckId {
  return deck === 'a' ? 'b' : 'a';
}

/**
 * Returns the position of a deck at `now` in ms, extrapolated from its last known position at its tempo. An active
 * loop repeats; the position never exceeds the track's duration.
 *
 * @param now time of the clock that `position_at` refers to, in ms
 */
export function deckPositionMs(deck: DeckState, now: number): number {
  if (!deck.is_playing) return deck.position_ms;
  const passed = Math.max(0, now - deck.position_at) * (1 + deck.tempo_percent / 100);
  const position = deck.position_ms + passed;
  const { loop } = deck;
  if (loop?.active && deck.position_ms < loop.end_ms && position >= loop.end_ms)
    return loop.start_ms + ((position - loop.end_ms) % (loop.end_ms - loop.start_ms));
  return Math.min(deck.duration_ms, position);
}

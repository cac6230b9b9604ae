import { z } from 'zod';
import { uuid } from '../ids.ts';
import { deckBounds } from '../limits.ts';
import { cueColor } from './cue.ts';
import { effectSlot } from './deck-effect.ts';
import { deckIds } from './deck-id.ts';
import { stemType } from './stem.ts';

/**
 * Crossfader curves, with their wire names.
 *
 * @spec Crossfader curves
 */
export const crossfaderCurves = ['linear', 'constant power', 'sharp cut', 'slow fade'] as const;
/** One of {@link crossfaderCurves}. */
export const crossfaderCurve = z.enum(crossfaderCurves);
/** One of {@link crossfaderCurves}. */
export type CrossfaderCurve = z.infer<typeof crossfaderCurve>;

/** Ranges of the tempo fader to either side, in percent. */
export const tempoRanges = [8, 16, 50] as const;

/** Position in a track in ms; fractions are kept because beats rarely fall on whole milliseconds. */
export const songMs = z.number().min(0).max(deckBounds.ms);

/** Bipolar control: −1 to 1, 0 in the middle. */
const knob = z.number().min(-1).max(1);
/** Fader: 0 to 1. */
const fader = z.number().min(0).max(1);

/** Region that repeats while `active`; kept while inactive. */
export const deckLoop = z
  .strictObject({ start_ms: songMs, end_ms: songMs, active: z.boolean() })
  .refine((loop) => loop.end_ms > loop.start_ms, 'must end after it starts');
/** Region that repeats while `active`. */
export type DeckLoop = z.infer<typeof deckLoop>;

/** Hot cue: a position to jump to, assigned to a pad; with an end it is a saved loop. */
export const hotCue = z.strictObject({
  slot: z
    .int()
    .min(0)
    .max(deckBounds.hotCues - 1),
  position_ms: songMs,
  /** End of a saved loop; null for a position. */
  end_ms: songMs.nullable(),
  label: z.string().max(deckBounds.label),
  color: cueColor,
  /** Cue point of the track from which it was created; null if it belongs to this session only. */
  cue_point_id: uuid.nullable(),
});
/** Hot cue: a position to jump to, assigned to a pad. */
export type HotCue = z.infer<typeof hotCue>;

/** State of one stem of a deck, with its own loop and fader. */
export const deckStem = z.strictObject({
  stem_type: stemType,
  /** Linear gain, 0 to 1. */
  volume: fader,
  is_muted: z.boolean(),
  is_soloed: z.boolean(),
  loop: deckLoop.nullable(),
});
/** State of one stem of a deck. */
export type DeckStem = z.infer<typeof deckStem>;

/** Channel strip of a deck: `gain → equaliser → filter → volume → crossfader`. */
export const deckStrip = z.strictObject({
  gain_db: z.number().min(deckBounds.gainDb.min).max(deckBounds.gainDb.max),
  /** −1 silences the band, 0 is neutral, 1 boosts it by 6 dB. */
  eq_low: knob,
  eq_mid: knob,
  eq_high: knob,
  kill_low: z.boolean(),
  kill_mid: z.boolean(),
  kill_high: z.boolean(),
  /** Below 0 a low-pass, above 0 a high-pass, 0 is off. */
  filter: knob,
  volume: fader,
  /** Whether the deck is routed to the headphones, before its fader. */
  is_cued: z.boolean(),
});
/** Channel strip of a deck. */
export type DeckStrip = z.infer<typeof deckStrip>;

/** State of a deck, shared by all windows of the session. */
export const deckState = z.strictObject({
  track_id: uuid.nullable(),
  /** Recorded tempo of the track in beats per minute; null if it has none or no track is loaded. */
  track_bpm: z.number().positive().nullable(),
  /** Duration of the track; 0 if no track is loaded. */
  duration_ms: songMs,
  /** Measured integrated loudness of the track in LUFS; null if it was not measured or no track is loaded. */
  loudness_lufs: z.number().nullable(),
  /** Measured true peak of the track in dB below full scale; null if it was not measured. */
  true_peak_db: z.number().nullable(),
  /** Gain that brings the track to the reference loudness, in dB; 0 if it was not measured or auto-gain is off. */
  auto_gain_db: z.number().min(-deckBounds.autoGainDb).max(deckBounds.autoGainDb),
  /** Separation whose stems are loaded; null plays the mix. */
  processing_job_id: uuid.nullable(),
  stems: z.array(deckStem).max(deckBounds.stems),
  is_playing: z.boolean(),
  /** Position of the deck at `position_at`. */
  position_ms: songMs,
  /** Time of the service's clock, in ms since 1970. */
  position_at: z.number().min(0),
  /** Deviation of the tempo from the recorded tempo, in percent. */
  tempo_percent: z.number().min(-50).max(100),
  tempo_range: z.literal(tempoRanges),
  is_key_locked: z.boolean(),
  key_semitones: z.int().min(-12).max(12),
  /**
   * Whether the deck follows tempo and beats of the other deck. Never true for both; off as soon as there is nothing
   * to follow.
   */
  is_synced: z.boolean(),
  is_quantized: z.boolean(),
  is_slipping: z.boolean(),
  cue_ms: songMs,
  hot_cues: z.array(hotCue).max(deckBounds.hotCues),
  loop: deckLoop.nullable(),
  strip: deckStrip,
  effects: z.tuple([effectSlot, effectSlot]),
});
/** State of a deck, shared by all windows of the session. */
export type DeckState = z.infer<typeof deckState>;

/** What a synced deck is aligned with: any beat of the leader, or the same beat of its bar. */
export const syncUnits = ['beat', 'bar'] as const;
/** One of {@link syncUnits}. */
export type SyncUnit = (typeof syncUnits)[number];

/** Mixer state shared by both decks. */
export const mixerState = z.strictObject({
  active_deck: z.enum(deckIds),
  /** −1 is deck A alone, 1 deck B alone. */
  crossfader: knob,
  crossfader_curve: crossfaderCurve,
  master_volume: fader,
  headphone_volume: fader,
  /** −1 is the cued decks alone, 1 the master alone. */
  headphone_mix: knob,
  /** Whether the tempo of deck B is locked to deck A. */
  is_master_synced: z.boolean(),
  /**
   * Leader: the deck whose tempo the other follows; if none follows, the deck that plays, or that played first; else
   * null.
   */
  master_deck: z.enum(deckIds).nullable(),
  is_metronome_on: z.boolean(),
  metronome_volume: fader,
  metronome_output: z.enum(['master', 'headphones']),
  /** Whether tracks are brought to one loudness, each with `auto_gain_db` of its deck. */
  is_auto_gain_on: z.boolean(),
  auto_gain_reference_lufs: z.number().min(deckBounds.referenceLufs.min).max(deckBounds.referenceLufs.max),
  sync_unit: z.enum(syncUnits),
  /** Whether a deck loads the stems of its track by itself, where a separation exists. */
  is_loading_stems: z.boolean(),
  /** Time in which a braked platter stops. */
  brake_seconds: z.number().min(deckBounds.platterSeconds.min).max(deckBounds.platterSeconds.max),
  /** Time in which a platter that was spun back stops. */
  spin_back_seconds: z.number().min(deckBounds.platterSeconds.min).max(deckBounds.platterSeconds.max),
  /** Window that plays the audio; null if none does yet. */
  sound_client: z.string().max(deckBounds.client).nullable(),
  /** Effect on the master. It is always before the volume of the master. */
  effect: effectSlot,
  /**
   * Time of the service's clock at which the connection of `sound_client` was closed without releasing the audio, as by
   * a killed browser; null while it is connected, or after an interruption that the service cannot tell from one of the
   * network.
   */
  audio_left_at: z.number().min(0).nullable(),
});
/** Mixer state shared by both decks. */
export type MixerState = z.infer<typeof mixerState>;

/**
 * Deck session of one login session, restored after a reload.
 *
 * @spec Deck sessions
 */
export const deckSession = z.object({
  id: uuid,
  /** Incremented with every change. */
  version: z.int().min(0),
  decks: z.strictObject({ a: deckState, b: deckState }),
  mixer: mixerState,
});
/** Deck session of one login session. */
export type DeckSession = z.infer<typeof deckSession>;
/** A {@link DeckSession} without its id and version. */
export type DeckSessionState = Pick<DeckSession, 'decks' | 'mixer'>;

import { z } from 'zod';
import { uuid } from '../ids.ts';
import { deckBounds } from '../limits.ts';
import { cueColor } from './cue.ts';
import { stemType } from './stem.ts';

/** The two decks. */
export const deckIds = ['a', 'b'] as const;
/** A deck's name; `A` and `B` are taken for `a` and `b`. */
export const deckId = z
  .string()
  .transform((name) => name.toLowerCase())
  .pipe(z.enum(deckIds));
/** A deck's name. */
export type DeckId = (typeof deckIds)[number];

/**
 * Crossfader curves, as they stand on the wire.
 *
 * @spec Crossfader curves
 */
export const crossfaderCurves = ['linear', 'constant power', 'sharp cut', 'slow fade'] as const;
/** One of {@link crossfaderCurves}. */
export const crossfaderCurve = z.enum(crossfaderCurves);
/** One of {@link crossfaderCurves}. */
export type CrossfaderCurve = z.infer<typeof crossfaderCurve>;

/** How far the tempo fader reaches to either side, in percent. */
export const tempoRanges = [8, 16, 50] as const;

/** A place in a song in milliseconds; parts of one count, since a beat seldom falls on a whole one. */
export const songMs = z.number().min(0).max(deckBounds.ms);

/** From −1 to 1, 0 in the middle. */
const knob = z.number().min(-1).max(1);
/** From 0 to 1. */
const fader = z.number().min(0).max(1);

/** A region that is played again and again while `active`; kept when it is not. */
export const deckLoop = z
  .strictObject({ start_ms: songMs, end_ms: songMs, active: z.boolean() })
  .refine((loop) => loop.end_ms > loop.start_ms, 'must end after it starts');
/** A region that is played again and again while `active`. */
export type DeckLoop = z.infer<typeof deckLoop>;

/** A place to jump to, on a pad; with an end it is a saved loop. */
export const hotCue = z.strictObject({
  slot: z
    .int()
    .min(0)
    .max(deckBounds.hotCues - 1),
  position_ms: songMs,
  /** Where a saved loop ends; null for a mere place. */
  end_ms: songMs.nullable(),
  label: z.string().max(deckBounds.label),
  color: cueColor,
  /** The cue point of the track that it was made from; null for one of this session's own. */
  cue_point_id: uuid.nullable(),
});
/** A place to jump to, on a pad. */
export type HotCue = z.infer<typeof hotCue>;

/** One stem of a deck: a sub-deck with a loop and a fader of its own. */
export const deckStem = z.strictObject({
  stem_type: stemType,
  /** Linear gain, 0 to 1. */
  volume: fader,
  is_muted: z.boolean(),
  is_soloed: z.boolean(),
  loop: deckLoop.nullable(),
});
/** One stem of a deck. */
export type DeckStem = z.infer<typeof deckStem>;

/** A deck's strip of the mixer: `gain → equaliser → filter → volume → crossfader`. */
export const deckStrip = z.strictObject({
  gain_db: z.number().min(deckBounds.gainDb.min).max(deckBounds.gainDb.max),
  /** −1 silences the band, 0 leaves it, 1 raises it by 6 dB. */
  eq_low: knob,
  eq_mid: knob,
  eq_high: knob,
  kill_low: z.boolean(),
  kill_mid: z.boolean(),
  kill_high: z.boolean(),
  /** Below 0 a low-pass that closes, above 0 a high-pass that opens, 0 is off. */
  filter: knob,
  volume: fader,
  /** Heard in the headphones before the fader. */
  is_cued: z.boolean(),
});
/** A deck's strip of the mixer. */
export type DeckStrip = z.infer<typeof deckStrip>;

/** Everything of a deck that every window of the session shows alike. */
export const deckState = z.strictObject({
  track_id: uuid.nullable(),
  /** Beats a minute of the song as recorded; null where it has none, or no track is loaded. */
  track_bpm: z.number().positive().nullable(),
  /** Length of the song; 0 where no track is loaded. */
  duration_ms: songMs,
  /** The separation whose stems are loaded; null plays the song. */
  processing_job_id: uuid.nullable(),
  stems: z.array(deckStem).max(deckBounds.stems),
  is_playing: z.boolean(),
  /** Where the deck stood at `position_at`. */
  position_ms: songMs,
  /** Moment of the service's clock in milliseconds since 1970. */
  position_at: z.number().min(0),
  /** Deviation of the tempo from the recorded one. */
  tempo_percent: z.number().min(-50).max(100),
  tempo_range: z.literal(tempoRanges),
  is_key_locked: z.boolean(),
  key_semitones: z.int().min(-12).max(12),
  /** Follows the tempo and the beats of the other deck: never both, and off as soon as there is nothing to follow. */
  is_synced: z.boolean(),
  is_quantized: z.boolean(),
  is_slipping: z.boolean(),
  cue_ms: songMs,
  hot_cues: z.array(hotCue).max(deckBounds.hotCues),
  loop: deckLoop.nullable(),
  strip: deckStrip,
});
/** Everything of a deck that every window of the session shows alike. */
export type DeckState = z.infer<typeof deckState>;

/** What both decks share. */
export const mixerState = z.strictObject({
  active_deck: z.enum(deckIds),
  /** −1 is deck A alone, 1 deck B alone. */
  crossfader: knob,
  crossfader_curve: crossfaderCurve,
  master_volume: fader,
  headphone_volume: fader,
  /** −1 hears the cued decks alone, 1 the master alone. */
  headphone_mix: knob,
  /** Deck B locks its tempo to deck A. */
  is_master_synced: z.boolean(),
  /** The deck whose tempo the other one follows; where none follows, the one that plays, or that played first; else null. */
  master_deck: z.enum(deckIds).nullable(),
  is_metronome_on: z.boolean(),
  metronome_volume: fader,
  metronome_output: z.enum(['master', 'headphones']),
  /** The window from which the sound comes; null for none yet. */
  sound_client: z.string().max(deckBounds.client).nullable(),
});
/** What both decks share. */
export type MixerState = z.infer<typeof mixerState>;

/**
 * The decks of one login session: what a reload brings back.
 *
 * @spec Deck sessions
 */
export const deckSession = z.object({
  id: uuid,
  /** Grows by one with every change. */
  version: z.int().min(0),
  decks: z.strictObject({ a: deckState, b: deckState }),
  mixer: mixerState,
});
/** The decks of one login session. */
export type DeckSession = z.infer<typeof deckSession>;
/** A {@link DeckSession} without its name and version. */
export type DeckSessionState = Pick<DeckSession, 'decks' | 'mixer'>;

import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { gridBounds } from '../limits.ts';

const fraction = z.number().min(0).max(1);

/** Tempo, beats and bars of a track. All are absent from an analysis that was not asked for them. */
export const rhythmFields = {
  /** Beats per minute; 0 where there is no pulse. */
  tempo: z.number(),
  tempo_confidence: fraction,
  tempo_stable: z.boolean(),
  /** Tempo every four beats where it varies (seconds, beats per minute); empty for a constant tempo. */
  tempo_curve: z.array(z.object({ time: z.number(), bpm: z.number() })),
  /** Detected: `4/4`, `3/4` or `6/8`. Set by the owner: one of {@link timeSignatures}. Empty where there is no pulse. */
  time_signature: z.string(),
  /** Beat times in hops of 512 samples at 22,050 Hz. */
  beat_frames: z.array(z.int()),
  /** Beat times in seconds. */
  beats: z.array(z.number()),
  downbeats: z.array(z.number()),
} as const;

/** Tempo, beats and bars of a track. */
export type RhythmFields = z.infer<z.ZodObject<typeof rhythmFields>>;

/** Origin and state of the beat grid of a track. */
export const gridFields = {
  /** `detected` by the analysis, or `manual`: set or repaired by the track's owner. */
  grid_source: z.enum(['detected', 'manual']),
  /** Whether the grid is protected from edits and from new analyses. */
  grid_locked: z.boolean(),
  /** Incremented by every edit; 0 for a grid that was never edited. */
  grid_version: z.int().min(0),
} as const;

/** Time signatures of a grid. Eighths are grouped in threes: `6/8` has two beats per bar. */
export const timeSignatures = ['2/4', '3/4', '4/4', '5/4', '6/4', '7/4', '6/8', '9/8', '12/8'] as const;
/** One of {@link timeSignatures}. */
export const timeSignature = z.enum(timeSignatures);

/** Factors by which the tempo of a grid can be multiplied. */
export const gridFactors = ['2', '1/2', '3/2', '2/3', '3', '1/3'] as const;
/** One of {@link gridFactors}. */
export type GridFactor = (typeof gridFactors)[number];

/** Another rhythm that a track may have: the change of the detected grid that leads to it. */
export const rhythmAlternative = z.discriminatedUnion('change', [
  /** The same tempo, with the beats later by a part of a beat. */
  z.object({ change: z.literal('shift'), beats: z.number(), probability: fraction }),
  z.object({ change: z.literal('multiply'), factor: z.enum(gridFactors), probability: fraction }),
  z.object({ change: z.literal('metre'), time_signature: timeSignature, probability: fraction }),
]);
/** Another rhythm that a track may have. */
export type RhythmAlternative = z.infer<typeof rhythmAlternative>;

const seconds = z.number().min(0).max(gridBounds.seconds);
const bpm = z.number().min(gridBounds.minBpm).max(gridBounds.maxBpm);
/** Version of the grid that the edit was made for. The edit is refused when the grid has changed since. */
const version = z.int().min(0).optional();

/** Edit of a grid. Times are seconds of the song. */
export const gridEdit = z.discriminatedUnion('edit', [
  /** Multiplies the number of beats: ×2 inserts a beat between each two. The downbeats keep their times. */
  z.strictObject({ edit: z.literal('multiply'), factor: z.enum(gridFactors), version }),
  /** Delays all beats by a number of beats: 0.5 is the offbeat, 1 moves only the bars. */
  z.strictObject({
    edit: z.literal('shift_beats'),
    beats: z.number().min(-gridBounds.shiftBeats).max(gridBounds.shiftBeats),
    version,
  }),
  /** Delays all beats by a number of milliseconds; a negative number advances them. */
  z.strictObject({
    edit: z.literal('shift_ms'),
    ms: z.number().min(-gridBounds.shiftMs).max(gridBounds.shiftMs),
    version,
  }),
  /** Makes the beat nearest to a time a downbeat. */
  z.strictObject({ edit: z.literal('set_downbeat'), at_seconds: seconds, version }),
  /** Shifts the grid so that its nearest beat falls on a time. */
  z.strictObject({ edit: z.literal('align'), at_seconds: seconds, version }),
  /** Makes an even grid of a tempo in which the beat nearest to a time stays; the beginning by default. */
  z.strictObject({ edit: z.literal('set_tempo'), bpm, at_seconds: seconds.default(0), version }),
  /** Tapped tempo and phase; the first tap is a downbeat. Four taps or more. */
  z.strictObject({
    edit: z.literal('tap'),
    taps: z.array(seconds).min(gridBounds.leastTaps).max(gridBounds.mostTaps),
    version,
  }),
  z.strictObject({ edit: z.literal('set_time_signature'), time_signature: timeSignature, version }),
  /** Returns to the detected beats. */
  z.strictObject({ edit: z.literal('use_detected'), version }),
  z.strictObject({ edit: z.literal('undo'), version }),
  z.strictObject({ edit: z.literal('redo'), version }),
  z.strictObject({ edit: z.literal('lock'), version }),
  z.strictObject({ edit: z.literal('unlock'), version }),
]);
/** Edit of a grid. */
export type GridEdit = z.infer<typeof gridEdit>;

/** Steps that can be undone: an edit, a tempo set on the track, or the return to the detected beats for other audio. */
export const gridStepNames = [
  'multiply',
  'shift_beats',
  'shift_ms',
  'set_downbeat',
  'align',
  'set_tempo',
  'tap',
  'set_time_signature',
  'use_detected',
  'track_tempo',
  'other_sound',
] as const;
/** One of {@link gridStepNames}. */
export const gridStepName = z.enum(gridStepNames);
/** One of {@link gridStepNames}. */
export type GridStepName = z.infer<typeof gridStepName>;

/** Current beats of a track: those set by its owner, else the detected ones. */
export const beatGrid = z.object({
  track_id: uuid,
  ...rhythmFields,
  ...gridFields,
  /** Step that `undo` reverts; null where there is none. */
  undo: gridStepName.nullable(),
  /** Step that `redo` repeats; null where there is none. */
  redo: gridStepName.nullable(),
  /** Summary of the beats detected by the newest analysis. */
  detected: z.object({ tempo: z.number(), time_signature: z.string(), beats: z.int().min(0) }),
  /** Time of the last edit; null for a grid that was never edited. */
  edited_at: timestamp.nullable(),
});
/** Current beats of a track. */
export type BeatGrid = z.infer<typeof beatGrid>;

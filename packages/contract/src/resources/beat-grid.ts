import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { gridBounds } from '../limits.ts';

const share = z.number().min(0).max(1);

/** What is known of the beats of a track. Each may be absent where an analysis was not asked for it. */
export const rhythmFields = {
  /** Beats a minute; 0 where there is no pulse. */
  tempo: z.number(),
  tempo_confidence: share,
  tempo_stable: z.boolean(),
  /** Where the tempo moves, a point each four beats (seconds, beats a minute); empty where it stays. */
  tempo_curve: z.array(z.object({ time: z.number(), bpm: z.number() })),
  /** `4/4`, `3/4` or `6/8` as it was found, one of {@link timeSignatures} as it was set; empty where there is no pulse. */
  time_signature: z.string(),
  /** Beat times in hops of 512 samples at 22,050 Hz. */
  beat_frames: z.array(z.int()),
  /** Beat times in seconds. */
  beats: z.array(z.number()),
  downbeats: z.array(z.number()),
} as const;

/** Who made the beats that are shown. */
export const gridFields = {
  /** `detected` by the analysis, or `manual`: set or repaired by the track's owner. */
  grid_source: z.enum(['detected', 'manual']),
  /** Whether nothing changes the grid, an edit as little as another analysis. */
  grid_locked: z.boolean(),
  /** Grows with every edit; 0 for a grid that was never touched. */
  grid_version: z.int().min(0),
} as const;

/** Time signatures that a grid can have. Those of eighths are counted in threes: `6/8` has two beats in a bar. */
export const timeSignatures = ['2/4', '3/4', '4/4', '5/4', '6/4', '7/4', '6/8', '9/8', '12/8'] as const;
/** One of {@link timeSignatures}. */
export const timeSignature = z.enum(timeSignatures);

/** Numbers by which the beats of a grid are multiplied. */
export const gridFactors = ['2', '1/2', '3/2', '2/3', '3', '1/3'] as const;
/** One of {@link gridFactors}. */
export type GridFactor = (typeof gridFactors)[number];

const seconds = z.number().min(0).max(gridBounds.seconds);
const bpm = z.number().min(gridBounds.minBpm).max(gridBounds.maxBpm);
/** What every edit may carry: the version that it was made for. It is refused when the grid has changed since. */
const version = z.int().min(0).optional();

/** One edit of a grid. Places are seconds of the song. */
export const gridEdit = z.discriminatedUnion('edit', [
  /** As many beats times the factor: ×2 puts one between each two. The one stays. */
  z.strictObject({ edit: z.literal('multiply'), factor: z.enum(gridFactors), version }),
  /** All beats later by so many beats: 0.5 is the offbeat, 1 keeps the beats and moves the bars. */
  z.strictObject({
    edit: z.literal('shift_beats'),
    beats: z.number().min(-gridBounds.shiftBeats).max(gridBounds.shiftBeats),
    version,
  }),
  /** All beats later by so many milliseconds, or earlier. */
  z.strictObject({
    edit: z.literal('shift_ms'),
    ms: z.number().min(-gridBounds.shiftMs).max(gridBounds.shiftMs),
    version,
  }),
  /** "One is here": the beat nearest to a place begins a bar. */
  z.strictObject({ edit: z.literal('set_downbeat'), at_seconds: seconds, version }),
  /** "A beat is here": the grid moves so that its nearest beat falls on the place. */
  z.strictObject({ edit: z.literal('align'), at_seconds: seconds, version }),
  /** An even grid of a tempo, turned about the beat nearest to a place: the beginning unless said otherwise. */
  z.strictObject({ edit: z.literal('set_tempo'), bpm, at_seconds: seconds.default(0), version }),
  /** Tempo and beats by hand: where somebody tapped, the first on a one. Four or more. */
  z.strictObject({
    edit: z.literal('tap'),
    taps: z.array(seconds).min(gridBounds.leastTaps).max(gridBounds.mostTaps),
    version,
  }),
  z.strictObject({ edit: z.literal('set_time_signature'), time_signature: timeSignature, version }),
  /** Back to what was heard. */
  z.strictObject({ edit: z.literal('use_detected'), version }),
  z.strictObject({ edit: z.literal('undo'), version }),
  z.strictObject({ edit: z.literal('redo'), version }),
  z.strictObject({ edit: z.literal('lock'), version }),
  z.strictObject({ edit: z.literal('unlock'), version }),
]);
/** One edit of a grid. */
export type GridEdit = z.infer<typeof gridEdit>;

/** What can be undone: an edit, a tempo said on the track, or the return to what was heard because the sound changed. */
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

/** The beats that a track goes by: its owner's where they set any, else those that were heard. */
export const beatGrid = z.object({
  track_id: uuid,
  ...rhythmFields,
  ...gridFields,
  /** What `undo` takes back; null where there is nothing. */
  undo: gridStepName.nullable(),
  /** What `redo` does again; null where there is nothing. */
  redo: gridStepName.nullable(),
  /** What the newest analysis heard, whoever's beats hold. */
  detected: z.object({ tempo: z.number(), time_signature: z.string(), beats: z.int().min(0) }),
  /** When it was last edited; null for never. */
  edited_at: timestamp.nullable(),
});
/** The beats that a track goes by. */
export type BeatGrid = z.infer<typeof beatGrid>;

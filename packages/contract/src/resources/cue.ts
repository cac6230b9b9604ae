import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { cueBounds } from '../limits.ts';

/**
 * Kind of a cue point. `custom` is a manual one without a kind; the others are detected by the analysis: sections by
 * name, the first beat, positions to begin and end a mix, loopable passages, changes of energy or key, phrases, and
 * plain bars and beats as a fallback.
 *
 * @spec Cue points
 */
export const cueKinds = [
  'first_beat',
  'intro',
  'verse',
  'build',
  'drop',
  'chorus',
  'breakdown',
  'bridge',
  'outro',
  'mix_in',
  'mix_out',
  'loop',
  'transition',
  'phrase',
  'bar',
  'beat',
  'custom',
] as const;
/** One of {@link cueKinds}. */
export const cueKind = z.enum(cueKinds);
/** One of {@link cueKinds}. */
export type CueKind = z.infer<typeof cueKind>;

/** Default colour of a cue point by kind, each with a contrast of at least 4.5 : 1 on a dark background. */
export const cueColors: Readonly<Record<CueKind, string>> = {
  first_beat: '#eceef2',
  intro: '#f2e6a0',
  verse: '#5aa9ff',
  build: '#ffc24b',
  drop: '#ff5d5d',
  chorus: '#f4628f',
  breakdown: '#9d8cff',
  bridge: '#c98bff',
  outro: '#e0a070',
  mix_in: '#43c987',
  mix_out: '#ff8f40',
  loop: '#3fd0a8',
  transition: '#9adf6a',
  phrase: '#b6bfce',
  bar: '#9aa2b1',
  beat: '#8b93a3',
  custom: '#5fd4ff',
};

/** Colour as `#rrggbb` in lower case. */
export const cueColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as "#35c4f0"')
  .transform((color) => color.toLowerCase());

/** Label of a cue point. */
export const cueLabel = z.string().trim().min(1, 'must not be empty').max(cueBounds.label);

/**
 * Cue point: a position in a track to jump to.
 *
 * @spec Cue points
 */
export const cue = z.object({
  id: uuid,
  track_id: uuid,
  kind: cueKind,
  label: z.string(),
  position_ms: z.int().min(0),
  /** Number of the beat at its position, 1 for the first; null if it is not on a beat. */
  beat: z.int().min(1).nullable(),
  /** Bar of that beat, 1 for the first whole bar, 0 for a beat before it. */
  bar: z.int().min(0).nullable(),
  /** Number of beats from here that loop well; null if it is not a loop. */
  loop_beats: z.int().min(1).nullable(),
  color: z.string(),
  /** `auto`: detected. `manual`: set or promoted by the track's owner. */
  source: z.enum(['auto', 'manual']),
  /** Rank by usefulness, 1 for the best of those shown; null if the analysis does not rate it. */
  rank: z.int().min(1).nullable(),
  /** Confidence that something begins here; null where rank is null. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Whether its owner changed its label or colour. */
  is_edited: z.boolean(),
  /** Whether it was detected and then promoted by its owner. */
  is_promoted: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});
/** Cue point: a position in a track to jump to. */
export type Cue = z.infer<typeof cue>;

/** Cue points of a track in ascending order, and the reason if they are few. */
export const cueList = z.object({
  cues: z.array(cue),
  /** Reason why fewer than 26 were detected, one sentence; null if there are enough or detection has not run yet. */
  reason: z.string().nullable(),
  /** Time of the last detection; null for never. */
  placed_at: timestamp.nullable(),
});
/** Cue points of a track. */
export type CueList = z.infer<typeof cueList>;

import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { cueBounds } from '../limits.ts';

/**
 * What a cue point stands at. `custom` is one that a user set without saying more; the others are found by the analysis:
 * sections by their names, the first beat, places to begin and end a mix, stretches to loop, turns of energy or key,
 * phrases, and mere bars and beats where a track has nothing better.
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

/** The colour that a cue point has until its owner gives it another: by kind, each 4.5 : 1 or more on a dark ground. */
export const cueColors: Readonly<Record<CueKind, string>> = {
  first_beat: '#eceef2',
  intro: '#35c4f0',
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

/** A colour as `#rrggbb` in lower case. */
export const cueColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as "#35c4f0"')
  .transform((color) => color.toLowerCase());

/** What a cue point is called. */
export const cueLabel = z.string().trim().min(1, 'must not be empty').max(cueBounds.label);

/**
 * A place in a track to jump to.
 *
 * @spec Cue points
 */
export const cue = z.object({
  id: uuid,
  track_id: uuid,
  kind: cueKind,
  label: z.string(),
  position_ms: z.int().min(0),
  /** The beat of the track it stands on, 1 for the first; null where it stands on none. */
  beat: z.int().min(1).nullable(),
  /** The bar of that beat, 1 for the first whole one, 0 before it. */
  bar: z.int().min(0).nullable(),
  /** Beats from here on that repeat well; null for what is no loop. */
  loop_beats: z.int().min(1).nullable(),
  color: z.string(),
  /** `auto` was found, `manual` was set or promoted by its owner. */
  source: z.enum(['auto', 'manual']),
  /** 1 for the most useful that is shown; null for what the analysis says nothing about. */
  rank: z.int().min(1).nullable(),
  /** How much of what was heard speaks for something beginning here; null where rank is. */
  confidence: z.number().min(0).max(1).nullable(),
  /** Its owner gave it another name or colour. */
  is_edited: z.boolean(),
  /** It was found, and its owner made it theirs. */
  is_promoted: z.boolean(),
  created_at: timestamp,
  updated_at: timestamp,
});
/** A place in a track to jump to. */
export type Cue = z.infer<typeof cue>;

/** The cue points of a track, ascending, and why they are few. */
export const cueList = z.object({
  cues: z.array(cue),
  /** Why fewer than 26 were found, a sentence; null where there are enough, or none were looked for yet. */
  reason: z.string().nullable(),
  /** When they were last looked for; null for never. */
  placed_at: timestamp.nullable(),
});
/** The cue points of a track. */
export type CueList = z.infer<typeof cueList>;

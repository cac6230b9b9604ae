import { z } from 'zod';

/** Something that the search for a track's sound found. */
export const sourceCandidate = z.object({
  candidate_id: z.string(),
  title: z.string(),
  /** Who published it; empty where the search does not say. */
  channel: z.string(),
  url: z.string(),
  /** Null where the search does not say. */
  duration_ms: z.int().nullable(),
  /** Longer (positive) or shorter than the track, in milliseconds. */
  difference_ms: z.int().nullable(),
  /** 0 to 1: how well length, words and channel fit. */
  score: z.number().min(0).max(1),
  /** Whether the track has, or is getting, its sound from it. */
  chosen: z.boolean(),
});
/** Something that the search for a track's sound found. */
export type SourceCandidate = z.infer<typeof sourceCandidate>;

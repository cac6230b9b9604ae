import { z } from 'zod';

/** Candidate found by the search for a track's audio source. */
export const sourceCandidate = z.object({
  candidate_id: z.string(),
  title: z.string(),
  /** Publisher; empty if the search does not return it. */
  channel: z.string(),
  url: z.string(),
  /** Null if the search does not return it. */
  duration_ms: z.int().nullable(),
  /** Duration minus the track's duration, in ms. */
  difference_ms: z.int().nullable(),
  /** Match of duration, title terms and channel, 0 to 1. */
  score: z.number().min(0).max(1),
  /** Whether the track's audio is, or is being, downloaded from it. */
  chosen: z.boolean(),
});
/** Candidate found by the search for a track's audio source. */
export type SourceCandidate = z.infer<typeof sourceCandidate>;

import { z } from 'zod';
import { timestamp } from '../ids.ts';

const count = z.object({
  used: z.int(),
  /** Null: no limit. */
  limit: z.int().nullable(),
});

/** What a user stores and may store. Bytes are whole numbers; a GB is 2^30 of them. */
export const usage = z.object({
  storage: z.object({
    /** Audio and stems, those of deleted tracks included until their files are removed. */
    used_bytes: z.int(),
    /** What waiting and running jobs and uploads are expected to add. */
    expected_bytes: z.int(),
    limit_bytes: z.int().nullable(),
  }),
  tracks: count,
  /** Waiting and running jobs. */
  queued_jobs: count,
  /** Stored separations, previews included, and those that wait or run. */
  stem_sets: count,
});
/** What a user stores and may store. */
export type Usage = z.infer<typeof usage>;

/** What a user's deleted tracks still hold. */
export const deletedTracks = z.object({
  tracks: z.int(),
  /** What removing them frees: audio that another track uses is not among it. */
  bytes: z.int(),
  /** When the last of them is removed by itself; null when there is none. */
  removed_at: timestamp.nullable(),
});
/** What a user's deleted tracks still hold. */
export type DeletedTracks = z.infer<typeof deletedTracks>;

const ownLimit = z
  .int('must be a whole number, 0 for no limit, or null for the default')
  .min(0, 'must be 0 (no limit) or more')
  .max(Number.MAX_SAFE_INTEGER)
  .nullable();
const ownCount = ownLimit.refine(
  (value) => value === null || value <= 2_000_000_000,
  'must be at most 2000000000',
);

/** Limits that a user has of their own; null is the default of the settings, 0 is no limit. */
export const quota = z.object({
  storage_bytes: ownLimit,
  tracks: ownCount,
  queued_jobs: ownCount,
  stem_sets: ownCount,
});
/** Limits that a user has of their own; null is the default of the settings, 0 is no limit. */
export type Quota = z.infer<typeof quota>;

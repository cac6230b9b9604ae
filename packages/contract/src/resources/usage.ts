import { z } from 'zod';
import { timestamp } from '../ids.ts';

const count = z.object({
  used: z.int(),
  /** Null for no limit. */
  limit: z.int().nullable(),
});

/** Resource usage and limits of a user. Bytes are whole numbers; a GB is 2^30 bytes. */
export const usage = z.object({
  storage: z.object({
    /** Audio and stems, including those of deleted tracks until their files are removed. */
    used_bytes: z.int(),
    /** Bytes that waiting and running jobs and uploads are expected to add. */
    expected_bytes: z.int(),
    limit_bytes: z.int().nullable(),
  }),
  tracks: count,
  /** Waiting and running jobs. */
  queued_jobs: count,
  /** Stored separations, including previews and waiting or running ones. */
  stem_sets: count,
});
/** Resource usage and limits of a user. */
export type Usage = z.infer<typeof usage>;

/** Storage still used by a user's deleted tracks. */
export const deletedTracks = z.object({
  tracks: z.int(),
  /** Bytes that removing them frees; audio shared with another track is not included. */
  bytes: z.int(),
  /** Time at which the last of them is removed automatically; null if there is none. */
  removed_at: timestamp.nullable(),
});
/** Storage still used by a user's deleted tracks. */
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

/** Limits set for one user; null is the configured default, 0 is no limit. */
export const quota = z.object({
  storage_bytes: ownLimit,
  tracks: ownCount,
  queued_jobs: ownCount,
  stem_sets: ownCount,
});
/** Limits set for one user; null is the configured default, 0 is no limit. */
export type Quota = z.infer<typeof quota>;

import { z } from 'zod';

/** Progress of the catalog folder scan. */
export const catalogScan = z.object({
  /** `never`: not scanned yet. `interrupted`: the process ended during the scan; the next scan continues it. */
  status: z.enum(['never', 'running', 'completed', 'failed', 'interrupted']),
  /** Audio files and playlists found so far. */
  found: z.int().nonnegative(),
  /** Number of files that are new or have changed since they were last read. */
  changed: z.int().nonnegative(),
  /** Number of changed files that have been read, including those that failed. */
  read: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Estimated seconds until the scan ends; null if unknown. */
  eta_seconds: z.number().nullable(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** Reason of a failure. */
  error: z.string().nullable(),
});
/** Progress of the catalog folder scan. */
export type CatalogScan = z.infer<typeof catalogScan>;

import { z } from 'zod';

/** How far the scan of the catalog folder is: which of its files are known. */
export const catalogScan = z.object({
  /** `never`: not scanned yet. `interrupted`: its process has ended; the next scan continues it. */
  status: z.enum(['never', 'running', 'completed', 'failed', 'interrupted']),
  /** Audio files and playlists found so far. */
  found: z.int().nonnegative(),
  /** How many of them are new or have changed since they were last read. */
  changed: z.int().nonnegative(),
  /** How many of the changed ones have been read, those that could not be read included. */
  read: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Seconds until it ends; null where that is not known. */
  eta_seconds: z.number().nullable(),
  started_at: z.iso.datetime().nullable(),
  finished_at: z.iso.datetime().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
});
/** How far the scan of the catalog folder is. */
export type CatalogScan = z.infer<typeof catalogScan>;

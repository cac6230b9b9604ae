import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';

/**
 * Crate: a named list of tracks, or a search that finds its tracks (a smart crate).
 *
 * @spec Crates
 */
export const crate = z.object({
  id: uuid,
  name: z.string(),
  /** Search of a smart crate, in the language of the library search; null for a list. */
  query: z.string().nullable(),
  /** Position in the sidebar, from 0. */
  position: z.int(),
  /** Number of tracks outside the trash; null for a smart crate. */
  track_count: z.int().nullable(),
  created_at: timestamp,
  updated_at: timestamp,
});
/** Crate of one user. */
export type Crate = z.infer<typeof crate>;

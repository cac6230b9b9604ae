import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';

/** States of an import. A cancelled import keeps the tracks already imported. */
export const importStatus = z.enum(['running', 'completed', 'cancelled']);

/** Import of an album or a playlist: many downloads with common progress and cancellation. */
export const libraryImport = z.object({
  id: uuid,
  type: z.enum(['album', 'playlist']),
  title: z.string(),
  status: importStatus,
  /** Number of tracks to import; tracks already in the library are not counted. */
  total: z.int().min(0),
  completed: z.int().min(0),
  failed: z.int().min(0),
  /** Percentage of its tracks that are imported or have failed. */
  progress: z.int().min(0).max(100),
  eta_seconds: z.int().min(0).nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
/** Import of an album or a playlist. */
export type LibraryImport = z.infer<typeof libraryImport>;

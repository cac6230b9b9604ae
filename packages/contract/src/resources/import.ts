import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';

/** States of an import. A cancelled one keeps the songs that were in before. */
export const importStatus = z.enum(['running', 'completed', 'cancelled']);

/** An album or a playlist on its way into the library: many downloads with one progress and one cancel. */
export const libraryImport = z.object({
  id: uuid,
  type: z.enum(['album', 'playlist']),
  title: z.string(),
  status: importStatus,
  /** Songs that it brings; those that were in the library before are not counted. */
  total: z.int().min(0),
  completed: z.int().min(0),
  failed: z.int().min(0),
  /** Percent of its songs that are in, or have failed. */
  progress: z.int().min(0).max(100),
  eta_seconds: z.int().min(0).nullable(),
  created_at: timestamp,
  finished_at: timestamp.nullable(),
});
/** An album or a playlist on its way into the library. */
export type LibraryImport = z.infer<typeof libraryImport>;

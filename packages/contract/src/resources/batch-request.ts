import { z } from 'zod';
import { uuid } from '../ids.ts';
import { trackBounds } from '../limits.ts';

/** Tracks of a request for several of them, each once. */
export const batchTrackIds = z
  .array(uuid)
  .min(1)
  .max(trackBounds.batch)
  .transform((ids) => [...new Set(ids)]);

/** Result of requesting a job for each of several tracks. A refused track does not affect the others. */
export const batchResult = z.object({
  accepted: z.array(z.object({ track_id: uuid, job_id: uuid })),
  refused: z.array(z.object({ track_id: uuid, error: z.string(), code: z.string() })),
});
/** Result of requesting a job for each of several tracks. */
export type BatchResult = z.infer<typeof batchResult>;

import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { engine, stem } from './stem.ts';

/**
 * Stored separation of a track: its stems, what made them and what they cost. A track keeps one of each model, and the
 * preview of each.
 *
 * @spec Separations of a track
 */
export const separation = z.object({
  /** Its job, which also names it elsewhere: `processing_job_id`, `stems_job_id`. */
  job_id: uuid,
  track_id: uuid,
  engine,
  model: z.string(),
  /** Backend that made the stems, such as `spectral` or `onnx`. */
  backend: z.string(),
  /** Network that made the stems; null for methods without one and for separations from before this was recorded. */
  network: z.string().nullable(),
  /** Whether only the first 60 seconds are separated. */
  preview: z.boolean(),
  /** Whether decks, exports and the track page use it where no other is named. */
  is_default: z.boolean(),
  created_at: timestamp,
  /** Time that the job ran, in seconds, without waiting in the queue; null where it is unknown. */
  seconds_taken: z.number().min(0).nullable(),
  /** Size of the stem files. */
  bytes: z.int(),
  duration_ms: z.int(),
  stems: z.array(stem),
});
/** Stored separation of a track. */
export type Separation = z.infer<typeof separation>;

import { z } from 'zod';
import { uuid } from '../ids.ts';
import { processingStatus } from '../states.ts';
import { cloudWork } from './cloud-work.ts';
import { engine, stem } from './stem.ts';

/**
 * Separation job. `stems` is empty until `status` is `completed`.
 *
 * @spec Separation jobs
 */
export const processingJob = z.object({
  id: uuid,
  track_id: uuid,
  status: processingStatus,
  progress: z.int().min(0).max(100),
  message: z.string(),
  eta_seconds: z.int().nullable(),
  model: z.string(),
  engine,
  preview: z.boolean(),
  /** Backend that produced the stems, such as `spectral` or `onnx`; null before that. */
  backend: z.string().nullable(),
  stems: z.array(stem),
  error: z.string().nullable(),
  /** Null for the local engine. */
  cloud: cloudWork.nullable(),
});
/** Separation job. */
export type ProcessingJob = z.infer<typeof processingJob>;

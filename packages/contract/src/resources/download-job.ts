import { z } from 'zod';
import { downloadQualities } from '../download-qualities.ts';
import { uuid } from '../ids.ts';
import { downloadStatus } from '../states.ts';

/** One of {@link downloadQualities}. */
export const downloadQuality = z.enum(downloadQualities);
/** One of {@link downloadQualities}. */
export type DownloadQuality = z.infer<typeof downloadQuality>;

/** Download job. `output_path` is the absolute path under which the service serves the file once completed. */
export const downloadJob = z.object({
  id: uuid,
  track_id: uuid,
  status: downloadStatus,
  progress: z.int().min(0).max(100),
  message: z.string(),
  eta_seconds: z.int().nullable(),
  quality: downloadQuality,
  output_path: z.string().nullable(),
  file_size: z.int().nullable(),
  error: z.string().nullable(),
});
/** Download job. */
export type DownloadJob = z.infer<typeof downloadJob>;

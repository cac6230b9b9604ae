import { z } from 'zod';
import { uuid } from '../ids.ts';
import { downloadStatus } from '../states.ts';

/**
 * Target formats of a download: `lossless` is FLAC; `high`, `medium` and `low` are MP3 at 320, 192 and 128 kbps.
 *
 * @spec Downloads
 */
export const downloadQualities = ['lossless', 'high', 'medium', 'low'] as const;
/** One of {@link downloadQualities}. */
export const downloadQuality = z.enum(downloadQualities);
/** One of {@link downloadQualities}. */
export type DownloadQuality = z.infer<typeof downloadQuality>;

/** Bitrate of each lossy quality, in kbps. */
export const qualityKbps = { high: 320, medium: 192, low: 128 } as const;

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

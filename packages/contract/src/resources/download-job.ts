import { z } from 'zod';
import { uuid } from '../ids.ts';
import { downloadStatus } from '../states.ts';

/**
 * What a download is turned into: `lossless` FLAC, `high` 320, `medium` 192, `low` 128 kbps MP3.
 *
 * @spec Downloads
 */
export const downloadQualities = ['lossless', 'high', 'medium', 'low'] as const;
/** One of {@link downloadQualities}. */
export const downloadQuality = z.enum(downloadQualities);
/** One of {@link downloadQualities}. */
export type DownloadQuality = z.infer<typeof downloadQuality>;

/** Bitrate of each lossy quality, in kilobits a second. */
export const qualityKbps = { high: 320, medium: 192, low: 128 } as const;

/** A download job. `output_path` is the absolute path under which the service serves the file, once it is completed. */
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
/** A download job. */
export type DownloadJob = z.infer<typeof downloadJob>;

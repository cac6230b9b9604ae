import { z } from 'zod';
import { cloudStemType } from './stem.ts';

/** Minutes of the cloud service, in tenths. */
export const cloudMinutes = z.number().min(0);

/**
 * How a task at the cloud service stands: `asking` until the service has answered, `cancelling` until it has heard of a
 * cancel, `lost` when it knows nothing of the task any more.
 */
export const cloudTaskState = z.enum([
  'asking',
  'running',
  'done',
  'failed',
  'cancelling',
  'cancelled',
  'lost',
]);
/** How a task at the cloud service stands. */
export type CloudTaskState = z.infer<typeof cloudTaskState>;

/** One task at the cloud service: some of a separation's stems. */
export const cloudTask = z.object({
  /** The service's own id; null until it has given one. */
  task_id: z.string().nullable(),
  stem_types: z.array(cloudStemType),
  state: cloudTaskState,
  /** What it costs. */
  minutes: cloudMinutes,
});

/** What a separation by the cloud engine has at the service. */
export const cloudWork = z.object({
  stem_types: z.array(cloudStemType),
  tasks: z.array(cloudTask),
  /**
   * The level of what is in the song and in none of its stems, in dB of the song's own level: −30 is a thousandth of its
   * energy. Null until the stems are written, and of a silent song.
   */
  residual_db: z.number().nullable(),
  /** Sentences about what was not as asked. */
  warnings: z.array(z.string()),
});
/** What a separation by the cloud engine has at the service. */
export type CloudWork = z.infer<typeof cloudWork>;

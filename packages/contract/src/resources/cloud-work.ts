import { z } from 'zod';
import { cloudStemType } from './stem.ts';

/** Minutes at the cloud service, in steps of a tenth. */
export const cloudMinutes = z.number().min(0);

/**
 * State of a task at the cloud service: `asking` until the service has replied, `cancelling` until it has confirmed a
 * cancel, `lost` when it does not know the task any more.
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
/** State of a task at the cloud service. */
export type CloudTaskState = z.infer<typeof cloudTaskState>;

/** One task at the cloud service, for some of a separation's stems. */
export const cloudTask = z.object({
  /** Task id of the service; null until it has assigned one. */
  task_id: z.string().nullable(),
  stem_types: z.array(cloudStemType),
  state: cloudTaskState,
  /** Price of the task. */
  minutes: cloudMinutes,
});

/** Cloud tasks and results of a separation by the cloud engine. */
export const cloudWork = z.object({
  stem_types: z.array(cloudStemType),
  tasks: z.array(cloudTask),
  /**
   * Level of the residual (the mix minus the sum of its stems), in dB relative to the mix: −30 is a thousandth of its
   * energy. Null until the stems are written, and for a silent track.
   */
  residual_db: z.number().nullable(),
  /** Warnings about deviations from the request, one sentence each. */
  warnings: z.array(z.string()),
});
/** Cloud tasks and results of a separation by the cloud engine. */
export type CloudWork = z.infer<typeof cloudWork>;

import { cloudStemType, engine } from '@stem-studio/contract/resources/stem';
import { separationModel } from '@stem-studio/contract/separation-models';
import { z } from 'zod';

/** What a separation job is asked. */
export const processingArgs = z.object({
  model: separationModel,
  engine,
  preview: z.boolean(),
  /** Of the cloud engine only: which stems, in their order. */
  stem_types: z.array(cloudStemType).optional(),
});
/** What a separation job is asked. */
export type ProcessingArgs = z.infer<typeof processingArgs>;

/** A preview is the first so many seconds. */
export const previewSeconds = 60;

/** The folder of the stems of a job. */
export function stemFolder(jobId: string): string {
  return `stems/${jobId}`;
}

import { cloudStemType, cloudStemTypes, engine } from '@stem-studio/contract/resources/stem';
import { separationModel, separationModels } from '@stem-studio/contract/separation-models';
import type { StemBitDepth } from '@stem-studio/contract/separator';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

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
/** How they are stored in a job. */
export const storedProcessingArgs = storedJson('arguments of a job of the type processing', processingArgs, {
  defaults: { preview: false },
});
/** What is shown of a job whose arguments cannot be read. */
export const unreadableProcessingArgs: ProcessingArgs = {
  model: 'hybrid_4',
  engine: 'local',
  preview: false,
};

/** A preview is the first so many seconds. */
export const previewSeconds = 60;

/** The folder of the stems of a job. */
export function stemFolder(jobId: string): string {
  return `stems/${jobId}`;
}

const stemSampleRate = 44_100;
const stemChannels = 2;
const headerBytes = 100;
const bytesPerSample: Readonly<Record<StemBitDepth, number>> = { '16': 2, '24': 3, '32f': 4 };

/**
 * How many bytes the stems of a separation take: those of silence as many as those of any other sound. Where a stem
 * exceeds full scale, all of them become 32f and take more.
 */
export function stemBytes(args: ProcessingArgs, durationMs: number, depth: StemBitDepth): number {
  const count =
    args.engine === 'cloud'
      ? (args.stem_types ?? cloudStemTypes).length
      : separationModels[args.model].stemTypes.length;
  const seconds = args.preview ? Math.min(previewSeconds, durationMs / 1000) : durationMs / 1000;
  const samples = Math.ceil(seconds * stemSampleRate) * stemChannels;
  return count * (samples * bytesPerSample[depth] + headerBytes);
}

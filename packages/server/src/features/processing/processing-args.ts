import { cloudStemType, cloudStemTypes, engine } from '@stem-studio/contract/resources/stem';
import { separationModel, separationModels } from '@stem-studio/contract/separation-models';
import type { StemBitDepth } from '@stem-studio/contract/separator';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Arguments of a separation job. */
export const processingArgs = z.object({
  model: separationModel,
  engine,
  preview: z.boolean(),
  /** Requested stems in order, for the cloud engine only. */
  stem_types: z.array(cloudStemType).optional(),
});
/** Arguments of a separation job. */
export type ProcessingArgs = z.infer<typeof processingArgs>;
/** Stored form of the arguments in a job. */
export const storedProcessingArgs = storedJson('arguments of a job of the type processing', processingArgs, {
  defaults: { preview: false },
});
/** Arguments shown for a job whose stored arguments cannot be read. */
export const unreadableProcessingArgs: ProcessingArgs = {
  model: 'hybrid_4',
  engine: 'local',
  preview: false,
};

/** Length of a preview in seconds, from the start of the song. */
export const previewSeconds = 60;

/** Returns the folder of a job's stems. */
export function stemFolder(jobId: string): string {
  return `stems/${jobId}`;
}

const stemSampleRate = 44_100;
const stemChannels = 2;
const headerBytes = 100;
const bytesPerSample: Readonly<Record<StemBitDepth, number>> = { '16': 2, '24': 3, '32f': 4 };

/**
 * Returns the size of a separation's stems in bytes; silent stems have the same size as any other. Where a stem exceeds
 * full scale, all become 32f and take more.
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

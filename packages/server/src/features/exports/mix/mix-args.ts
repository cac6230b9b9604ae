import { exportFormatTable } from '@stem-studio/contract/export-formats';
import { type MixArgs, type MixSettings, mixArgs } from '@stem-studio/contract/resources/mix';
import { storedJson } from '../../../platform/db/stored-json.ts';
import { bitDepthOf } from './mix-file.ts';

/** Stored form of the arguments of a mix job. */
export const storedMixArgs = storedJson('arguments of a job of the type mix', mixArgs);

/** Settings shown for a job whose stored ones cannot be read. */
export const unreadableMixArgs: MixArgs = mixArgs.parse({ rows: [{ source: 'mix' }] });

/** Returns the length of a mix in seconds. */
export function secondsOf({ range, tempo }: MixSettings, songSeconds: number): number {
  const seconds = range ? Math.min(range.end, songSeconds) - range.start : songSeconds;
  return Math.max(0, seconds) / (tempo / 100);
}

/** Space for cover art and tags. */
const coverBytes = 2 ** 20;

/** Returns the largest size of the file of a mix. */
export function mixBytes(args: MixSettings, songSeconds: number, sampleRateHz: number): number {
  const isLossless = exportFormatTable[args.format].bitDepths.length > 0;
  const bytesPerSecond = isLossless ? sampleRateHz * 2 * (bitDepthOf(args) / 8) : 40_000;
  return Math.ceil(secondsOf(args, songSeconds) * bytesPerSecond) + coverBytes;
}

/** Returns the stored folder of a mix. */
export function mixFolder(jobId: string): string {
  return `mixes/${jobId}`;
}

/** Returns the stored path of the file of a mix. */
export function mixPath(jobId: string, args: MixArgs): string {
  return `${mixFolder(jobId)}/mix.${extensionOf(args)}`;
}

/** Returns the extension of the file of a mix: lanes of a project are a ZIP. */
export function extensionOf({ format, project }: MixArgs): string {
  return project?.content === 'stems' ? 'zip' : format;
}

import { exportFormatTable } from '@stem-studio/contract/export-formats';
import { type MixRow, type MixSettings, mixSettings } from '@stem-studio/contract/resources/mix';
import type { StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { storedJson } from '../../../platform/db/stored-json.ts';

/** Stored form of the arguments of a mix job. */
export const storedMixArgs = storedJson('arguments of a job of the type mix', mixSettings);

/** Settings shown for a job whose stored ones cannot be read. */
export const unreadableMixArgs: MixSettings = mixSettings.parse({ rows: [{ source: 'mix' }] });

const factorOf = (gainDb: number | null) => (gainDb === null ? 0 : 10 ** (gainDb / 20));

/** Returns pan and equaliser of a row for the renderer. */
export function toneOf({ pan, eq }: MixRow): StemTone {
  return { pan, low: factorOf(eq.low), mid: factorOf(eq.mid), high: factorOf(eq.high) };
}

/** Returns the bits per sample of the file: 24 by default. */
export function bitDepthOf({ bit_depth }: MixSettings): 16 | 24 {
  return bit_depth === '16' ? 16 : 24;
}

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

/** Returns the description of a mix in names and tags, such as `mix, tempo 90, key −2`. */
export function mixPartText({ tempo, key }: MixSettings): string {
  const changes = [
    ...(tempo === 100 ? [] : [`tempo ${tempo}`]),
    ...(key === 0 ? [] : [`key ${key > 0 ? '+' : '−'}${Math.abs(key)}`]),
  ];
  return ['mix', ...changes].join(', ');
}

/** Returns the stored folder of a mix. */
export function mixFolder(jobId: string): string {
  return `mixes/${jobId}`;
}

/** Returns the stored path of the file of a mix. */
export function mixPath(jobId: string, { format }: MixSettings): string {
  return `${mixFolder(jobId)}/mix.${format}`;
}

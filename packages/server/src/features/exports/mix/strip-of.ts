import type { MixRow } from '@stem-studio/contract/resources/mix';
import type { MixStrip } from './render-mix.ts';

const factorOf = (gainDb: number | null) => (gainDb === null ? 0 : 10 ** (gainDb / 20));

/** Returns a row of a mix with the absolute path of its file for the renderer. */
export function stripOf({ volume, pan, eq }: MixRow, path: string): MixStrip {
  const tone = { pan, low: factorOf(eq.low), mid: factorOf(eq.mid), high: factorOf(eq.high) };
  return { path, gain: volume, tone };
}

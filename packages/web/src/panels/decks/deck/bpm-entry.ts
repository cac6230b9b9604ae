/** Result of a tempo that was typed in beats per minute: the change of the tempo in percent, or why there is none. */
export type BpmEntry = { readonly percent: number } | { readonly error: string };

/** Least and greatest tempo of a deck, as a multiple of the tempo of its track. */
const LEAST_RATIO = 0.5;
const MOST_RATIO = 2;

/**
 * Parses a tempo that was typed into the BPM field of a deck. A comma is a decimal point.
 *
 * @param trackBpm tempo of the track in beats per minute, above 0
 */
export function parseBpm(text: string, trackBpm: number): BpmEntry {
  const typed = text.trim().replace(',', '.');
  const bpm = /^\d+(\.\d*)?$|^\.\d+$/.test(typed) ? Number(typed) : Number.NaN;
  const least = trackBpm * LEAST_RATIO;
  const most = trackBpm * MOST_RATIO;
  // The limits are shown with a decimal, so what is shown is accepted.
  if (bpm >= least - 0.05 && bpm <= most + 0.05)
    return { percent: Math.min(MOST_RATIO, Math.max(LEAST_RATIO, bpm / trackBpm)) * 100 - 100 };
  return { error: `${least.toFixed(1)} to ${most.toFixed(1)} BPM` };
}

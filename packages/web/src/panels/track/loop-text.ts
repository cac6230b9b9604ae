import type { LoopRegion } from '@stem-studio/audio/clock/playback-clock';
import { clockText } from '../../base/format.ts';
import { countUntil } from '../../state/song-analysis.ts';

/** Distance in seconds within which a loop end is at a bar. */
const AT_BAR_SECONDS = 0.03;

/** Returns the bounds of a loop: `0:12 – 0:20`. */
export function loopBounds({ startSeconds, endSeconds }: LoopRegion): string {
  return `${clockText(startSeconds)} – ${clockText(endSeconds)}`;
}

/**
 * Returns the name of a loop: its bars, `Bars 9–12`, where it begins and ends with bars, else its bounds.
 *
 * @param downbeats beginnings of the bars in seconds, ascending
 */
export function loopName(loop: LoopRegion, downbeats: readonly number[]): string {
  const barAt = (seconds: number): number | null => {
    const bar = countUntil(downbeats, seconds + AT_BAR_SECONDS);
    const start = downbeats[bar - 1];
    return start !== undefined && Math.abs(start - seconds) <= AT_BAR_SECONDS ? bar : null;
  };
  const [first, after] = [barAt(loop.startSeconds), barAt(loop.endSeconds)];
  if (first === null || after === null) return loopBounds(loop);
  return after - first === 1 ? `Bar ${first}` : `Bars ${first}–${after - 1}`;
}

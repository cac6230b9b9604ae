import type { SourceCandidate } from '@stem-studio/contract/resources/source-candidate';
import { clockText } from '../../base/format.ts';

/** Difference in length from which a source is likely another version, in milliseconds. */
const otherVersionMs = 10_000;

/** Text of a source's length compared with the track, such as `0:28 · 3 s longer than the song`. */
export function lengthText({
  duration_ms,
  difference_ms,
}: Pick<SourceCandidate, 'duration_ms' | 'difference_ms'>): string {
  if (duration_ms === null) return 'length unknown';
  const length = clockText(duration_ms / 1000);
  if (difference_ms === null) return length;
  const seconds = Math.round(Math.abs(difference_ms) / 1000);
  if (seconds === 0) return `${length} · same length as the song`;
  return `${length} · ${spanText(seconds)} ${difference_ms > 0 ? 'longer' : 'shorter'} than the song`;
}

/** Whether a source's length suggests another version of the song, which is never used automatically. */
export function isOtherVersion({ difference_ms }: Pick<SourceCandidate, 'difference_ms'>): boolean {
  return difference_ms !== null && Math.abs(difference_ms) > otherVersionMs;
}

/** Formats a duration in one unit: `14 s`, `3 min`, `10 h`. */
function spanText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

import type { SourceCandidate } from '@stem-studio/contract/resources/source-candidate';
import { clockText } from '../../base/format.ts';

/** Beyond this difference in length it is likely another version of the song, in milliseconds. */
const otherVersionMs = 10_000;

/** How long a candidate is beside the song, such as `0:28 · 3 s longer than the song`. */
export function lengthText({
  duration_ms,
  difference_ms,
}: Pick<SourceCandidate, 'duration_ms' | 'difference_ms'>): string {
  if (duration_ms === null) return 'length unknown';
  const length = clockText(duration_ms / 1000);
  if (difference_ms === null) return length;
  const seconds = Math.round(Math.abs(difference_ms) / 1000);
  if (seconds === 0) return `${length} · as long as the song`;
  return `${length} · ${spanText(seconds)} ${difference_ms > 0 ? 'longer' : 'shorter'} than the song`;
}

/** Whether a candidate's length says that it is another version of the song: then it is never taken unasked. */
export function isOtherVersion({ difference_ms }: Pick<SourceCandidate, 'difference_ms'>): boolean {
  return difference_ms !== null && Math.abs(difference_ms) > otherVersionMs;
}

/** A stretch of time in its one unit: `14 s`, `3 min`, `10 h`. */
function spanText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

import { PITCH_HOP } from './pitch-kernel.ts';

const COLUMN_SECONDS = PITCH_HOP / 22_050;

/**
 * Returns a function that sums chroma columns between two times in seconds, of at least one column.
 *
 * Sums from the beginning are computed once, so that a call costs the same for any length.
 *
 * @param columns chroma of 12 numbers, one column per 2,048 samples at 22,050 Hz
 */
export function createChromaSums(
  columns: readonly Float32Array[],
): (fromSeconds: number, toSeconds: number) => Float32Array {
  const sums = new Float64Array(12 * (columns.length + 1));
  for (const [index, column] of columns.entries()) {
    for (let pitch = 0; pitch < 12; pitch++)
      sums[12 * (index + 1) + pitch] = (sums[12 * index + pitch] ?? 0) + (column[pitch] ?? 0);
  }
  const limit = (column: number): number => Math.min(columns.length, Math.max(0, column));
  return (fromSeconds, toSeconds) => {
    const first = Math.round(fromSeconds / COLUMN_SECONDS);
    const from = limit(first);
    const to = limit(Math.max(first + 1, Math.round(toSeconds / COLUMN_SECONDS)));
    const sum = new Float32Array(12);
    if (to > from)
      for (let pitch = 0; pitch < 12; pitch++)
        sum[pitch] = (sums[12 * to + pitch] ?? 0) - (sums[12 * from + pitch] ?? 0);
    return sum;
  };
}

/**
 * Returns the F-measure of times that match one to one within a window; 0 if either list is empty.
 *
 * @param wanted seconds, ascending
 * @param found seconds, ascending
 */
export function timesF(wanted: readonly number[], found: readonly number[], windowSeconds: number): number {
  let matches = 0;
  for (let i = 0, j = 0; i < wanted.length && j < found.length; ) {
    const difference = (found[j] ?? 0) - (wanted[i] ?? 0);
    if (Math.abs(difference) <= windowSeconds) {
      matches++;
      i++;
      j++;
    } else if (difference < 0) j++;
    else i++;
  }
  return matches === 0 ? 0 : (2 * matches) / (wanted.length + found.length);
}

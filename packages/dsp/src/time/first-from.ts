/**
 * Returns the index of the first time not before `seconds`, by binary search, or the length. `times` ascend, in
 * seconds.
 */
export function firstFrom(times: readonly number[], seconds: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}

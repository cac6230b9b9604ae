/** Returns monotonic time in ms, for progress estimates. */
export function monotonicMs(): number {
  return performance.now();
}

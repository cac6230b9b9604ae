/** Returns milliseconds since 1970 by a monotonic clock. */
export function pageTimeMs(): number {
  return performance.timeOrigin + performance.now();
}

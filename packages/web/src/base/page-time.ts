/** Returns the age of the page in milliseconds. */
export function pageAgeMs(): number {
  return performance.now();
}

/** Returns milliseconds since 1970 by a monotonic clock. */
export function pageTimeMs(): number {
  return performance.timeOrigin + performance.now();
}

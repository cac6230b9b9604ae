/** Milliseconds since 1970 by this machine's clock, which never jumps while the page is open. */
export function pageTimeMs(): number {
  return performance.timeOrigin + performance.now();
}

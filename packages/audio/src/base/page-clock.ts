/**
 * Returns the seconds since an event, never negative. An event carries the time of the press; its handler may run
 * later.
 *
 * @param timeStampMs the `timeStamp` of an event
 */
export function secondsSince(timeStampMs: number): number {
  return Math.max(0, performance.now() - timeStampMs) / 1000;
}

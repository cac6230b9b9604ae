/**
 * How long ago something happened, in seconds: events carry the moment of the press, and are sent when the page has time
 * for them. Never negative.
 *
 * @param timeStampMs the `timeStamp` of an event
 */
export function secondsSince(timeStampMs: number): number {
  return Math.max(0, performance.now() - timeStampMs) / 1000;
}

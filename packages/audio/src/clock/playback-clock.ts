/** What is known of a player's place at one moment. */
export interface PositionReport {
  /** Where it stood, in seconds of the song. */
  positionSeconds: number;
  /** When that place was heard, in seconds of the audio context's clock. */
  timeSeconds: number;
  isMoving: boolean;
  /** Seconds of the song that pass in a second of sound; 1 is as recorded. */
  rate: number;
}

/** A region that is played again and again, in seconds of the song. */
export interface LoopRegion {
  startSeconds: number;
  endSeconds: number;
}

/** Longest time by which a place is carried on without news; after it the clock stands rather than runs away. */
const LONGEST_GUESS_SECONDS = 0.25;
/** A report may be of what is heard so much later: the output and whatever changes key and tempo take their time. */
const LONGEST_LAG_SECONDS = 0.6;

/**
 * Where a player is heard at `nowSeconds`, carried on from its last report, so that a playhead moves with every picture
 * and not only when a report comes. Goes round with an active loop, never past the end.
 */
export function positionAt(
  report: PositionReport,
  nowSeconds: number,
  durationSeconds: number,
  loop: LoopRegion | null,
): number {
  if (!report.isMoving) return report.positionSeconds;
  const passed = Math.min(
    LONGEST_GUESS_SECONDS,
    Math.max(-LONGEST_LAG_SECONDS, nowSeconds - report.timeSeconds),
  );
  const position = report.positionSeconds + passed * report.rate;
  if (loop && report.positionSeconds < loop.endSeconds && position >= loop.endSeconds) {
    return loop.startSeconds + (position - loop.endSeconds);
  }
  // The mixer has gone round already, the listener hears the end of the round before.
  if (loop && report.positionSeconds >= loop.startSeconds && position < loop.startSeconds) {
    return Math.max(loop.startSeconds, loop.endSeconds - (loop.startSeconds - position));
  }
  return Math.min(durationSeconds, Math.max(0, position));
}

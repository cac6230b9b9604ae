/** State of a player's position at one moment. */
export interface PositionReport {
  /** Position in seconds of the song. */
  positionSeconds: number;
  /** Time at which that position is audible, in seconds of the audio clock. */
  timeSeconds: number;
  isMoving: boolean;
  /** Seconds of the song in one second of output; 1 is as recorded. */
  rate: number;
}

/** A looped region, in seconds of the song. */
export interface LoopRegion {
  startSeconds: number;
  endSeconds: number;
}

/** Longest time for which a position is extrapolated without a report; after that the position stays. */
const LONGEST_GUESS_SECONDS = 0.25;
/** Longest time by which a report may be ahead of the audible position: the latency of the output. */
const LONGEST_LAG_SECONDS = 0.6;

/**
 * Returns the audible position at `nowSeconds`, extrapolated from the last report, so that a playhead moves with every
 * frame. Wraps with an active loop and never exceeds the duration.
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
  // The mixer has wrapped already while the end of the previous round is still audible.
  if (loop && report.positionSeconds >= loop.startSeconds && position < loop.startSeconds) {
    return Math.max(loop.startSeconds, loop.endSeconds - (loop.startSeconds - position));
  }
  return Math.min(durationSeconds, Math.max(0, position));
}

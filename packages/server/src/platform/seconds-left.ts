/**
 * Returns the estimated remaining time in whole seconds, if `fraction` (0 to 1) of the work took `elapsedMs`, at a
 * constant rate. Returns null below 2 %.
 */
export function secondsLeft(elapsedMs: number, fraction: number): number | null {
  if (fraction < 0.02) return null;
  return Math.ceil((elapsedMs / 1000) * Math.max(0, 1 / Math.min(1, fraction) - 1));
}

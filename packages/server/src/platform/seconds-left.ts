/**
 * Returns the estimated remaining time in whole seconds, at a constant rate. Returns null below 2 %.
 * @param elapsedMs time that the work has taken so far
 * @param fraction fraction done, 0 to 1
 */
export function secondsLeft(elapsedMs: number, fraction: number): number | null {
  if (fraction < 0.02) return null;
  return Math.ceil((elapsedMs / 1000) * Math.max(0, 1 / Math.min(1, fraction) - 1));
}

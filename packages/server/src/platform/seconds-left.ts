/**
 * Whole seconds left when `fraction` (0 to 1) of the work took `elapsedMs`, at the same pace; null while too little is
 * done to tell (less than 2 %).
 */
export function secondsLeft(elapsedMs: number, fraction: number): number | null {
  if (fraction < 0.02) return null;
  return Math.ceil((elapsedMs / 1000) * Math.max(0, 1 / Math.min(1, fraction) - 1));
}

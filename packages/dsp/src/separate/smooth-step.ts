/** Returns 0 below `from`, 1 above `to`, and a smooth cubic between them. */
export function smoothStep(x: number, from: number, to: number): number {
  const u = Math.min(1, Math.max(0, (x - from) / (to - from)));
  return u * u * (3 - 2 * u);
}

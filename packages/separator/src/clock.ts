/** Milliseconds since some moment, never falling: for telling how long the rest will take, and for nothing that sounds. */
export function monotonicMs(): number {
  return performance.now();
}

/**
 * Collects the garbage of this thread where Node was started with `--expose-gc`, in some milliseconds. The arrays of a
 * segment take tens of megabytes outside V8's own heap, so V8 by itself would let those of several segments accumulate.
 */
export function collectGarbage(): void {
  globalThis.gc?.();
}

/**
 * An effect that processes a part block by block, in place.
 *
 * `count` samples are valid; `startSample` is the position of the first one in the song, so that time-dependent effects
 * (a filter sweep, ducking) do not depend on block boundaries.
 */
export interface Insert {
  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void;
}

/**
 * Something a part's sound passes through, block by block, in place.
 *
 * `count` samples are valid; `startSample` is the first one's place in the song, so that what depends on time
 * (a filter that opens, a ducking) does not depend on how the song is cut into blocks.
 */
export interface Insert {
  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void;
}

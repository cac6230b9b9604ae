/**
 * Pool of large arrays that are reused from one segment to the next.
 *
 * Without it a thread would hold many times the memory it needs until the garbage collector runs.
 */
export interface BufferPool {
  /** Returns an array of zeros, for use until it is released. */
  acquire(length: number): Float32Array;
  /** Returns arrays of `acquire` to the pool; they must not be used afterwards. */
  release(...arrays: Float32Array[]): void;
}

/**
 * Spare capacity of an array: the last segment of a song is up to half as long again as the others.
 *
 * The operating system provides memory only when it is written, so unused capacity costs nothing.
 */
const growthFactor = 1.5;

/** Creates an empty pool for one thread. */
export function createBufferPool(): BufferPool {
  const idle: Float32Array[] = [];
  return {
    acquire(length) {
      let best = -1;
      for (const [i, { length: size }] of idle.entries()) {
        if (size >= length && (best < 0 || size < (idle[best] as Float32Array).length)) best = i;
      }
      if (best >= 0) return (idle.splice(best, 1)[0] as Float32Array).subarray(0, length).fill(0);
      // None is large enough: the smallest is replaced, so that memory does not add up over segments.
      let smallest = 0;
      for (const [i, { length: size }] of idle.entries()) {
        if (size < (idle[smallest] as Float32Array).length) smallest = i;
      }
      idle.splice(smallest, 1);
      return new Float32Array(Math.ceil(growthFactor * length)).subarray(0, length);
    },
    release(...arrays) {
      for (const array of arrays) idle.push(new Float32Array(array.buffer));
    },
  };
}

/**
 * Lends arrays and takes them back. One separation after another works on the same few arrays of several
 * megabytes; were they made anew each time, a thread would hold many times what it needs until they are
 * collected.
 */
export interface PlaneLender {
  /** An array of zeros, to be used until it is given back. */
  take(length: number): Float32Array;
  /** Takes arrays back that `take` has lent; nobody may use them afterwards. */
  give(...planes: Float32Array[]): void;
}

/**
 * The last segment of a song is up to half as long again as the others. Memory that is not touched is not taken, so
 * the room costs nothing until then; without it the larger planes would stand beside the smaller ones.
 */
const roomToGrow = 1.5;

/** A lender of its own memory; not shared between threads. */
export function createPlaneLender(): PlaneLender {
  const idle: Float32Array[] = [];
  return {
    take(length) {
      let best = -1;
      for (const [i, { length: size }] of idle.entries()) {
        if (size >= length && (best < 0 || size < (idle[best] as Float32Array).length)) best = i;
      }
      if (best >= 0) return (idle.splice(best, 1)[0] as Float32Array).subarray(0, length).fill(0);
      // None is large enough: the smallest makes room, so that a longer sound does not add to what shorter ones left.
      let smallest = 0;
      for (const [i, { length: size }] of idle.entries()) {
        if (size < (idle[smallest] as Float32Array).length) smallest = i;
      }
      idle.splice(smallest, 1);
      return new Float32Array(Math.ceil(roomToGrow * length)).subarray(0, length);
    },
    give(...planes) {
      for (const plane of planes) idle.push(new Float32Array(plane.buffer));
    },
  };
}

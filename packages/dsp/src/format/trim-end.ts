/** Holds back the newest samples of a stream, so that the end can be cut without knowing where it is. */
export interface EndTrimmer {
  /** Takes a block and gives the blocks, if any, that are surely not among the last samples. */
  push(block: Float32Array[]): Float32Array[][];
  /** The samples held back, for a stream whose end must stay after all. */
  rest(): Float32Array[][];
}

/** A trimmer for the last `samples` samples of every audio channel; with 0 blocks pass as they are. */
export function trimEnd(samples: number): EndTrimmer {
  let held: Float32Array[][] = [];
  let heldSamples = 0;
  return {
    push(block) {
      const length = block[0]?.length ?? 0;
      if (length === 0) return [];
      held.push(block);
      heldSamples += length;
      const ready: Float32Array[][] = [];
      while (heldSamples > samples) {
        const oldest = held[0] ?? [];
        const oldestLength = oldest[0]?.length ?? 0;
        const free = Math.min(oldestLength, heldSamples - samples);
        ready.push(oldest.map((part) => part.subarray(0, free)));
        heldSamples -= free;
        if (free === oldestLength) held.shift();
        else held[0] = oldest.map((part) => part.subarray(free));
      }
      return ready;
    },
    rest() {
      const ready = held;
      held = [];
      heldSamples = 0;
      return ready;
    },
  };
}

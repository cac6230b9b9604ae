/** Delays a stream by a number of samples, so that its end can be removed once it is reached. */
export interface EndTrimmer {
  /** Adds a block and returns the blocks that are not among the last samples. */
  push(block: Float32Array[]): Float32Array[][];
  /** Returns the delayed samples, for a stream whose end is kept. */
  rest(): Float32Array[][];
}

/** Creates a trimmer for the last `samples` samples of every audio channel; with 0 blocks pass unchanged. */
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

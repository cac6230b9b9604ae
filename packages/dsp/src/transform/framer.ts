/** Cuts a stream of samples into overlapping frames of one size. */
export interface Framer {
  /** Adds samples and calls `onFrame` for every frame that they complete. */
  push(block: Float32Array, onFrame: (samples: Float32Array, index: number) => void): void;
  /** Pads with silence for the frames whose centre lies within the input. */
  finish(onFrame: (samples: Float32Array, index: number) => void): void;
  /** Resets to the initial state. */
  reset(): void;
}

/**
 * Creates a framer whose frame number t is centred on sample t · hop.
 *
 * The input is preceded and followed by silence: n samples give 1 + ⌊n / hop⌋ frames, and no samples give none. The
 * array passed to `onFrame` is overwritten by the next frame.
 *
 * @param options.size samples in a frame, even
 * @param options.hop samples between frames, 1 to `size`
 * @throws RangeError for another size or hop
 * @see https://librosa.org/doc/latest/generated/librosa.stft.html (`center=True`, `pad_mode='constant'`)
 */
export function createFramer(options: { size: number; hop: number }): Framer {
  const { size, hop } = options;
  if (!Number.isInteger(size) || size < 2 || size % 2 !== 0) {
    throw new RangeError(`a piece must have an even number of samples (got ${size})`);
  }
  if (!Number.isInteger(hop) || hop < 1 || hop > size) {
    throw new RangeError(`a hop must be 1 to ${size} samples (got ${hop})`);
  }
  const buffer = new Float32Array(size);
  let filled = size / 2;
  let received = 0;
  let emitted = 0;

  const emit = (onFrame: (samples: Float32Array, index: number) => void): void => {
    onFrame(buffer, emitted++);
    buffer.copyWithin(0, hop);
    filled = size - hop;
  };

  return {
    push(block, onFrame) {
      received += block.length;
      let at = 0;
      while (at < block.length) {
        const count = Math.min(size - filled, block.length - at);
        buffer.set(count === block.length ? block : block.subarray(at, at + count), filled);
        filled += count;
        at += count;
        if (filled === size) emit(onFrame);
      }
    },
    finish(onFrame) {
      const expected = received === 0 ? 0 : 1 + Math.floor(received / hop);
      for (let missing = expected - emitted; missing > 0; missing--) {
        buffer.fill(0, filled);
        emit(onFrame);
      }
    },
    reset() {
      buffer.fill(0);
      filled = size / 2;
      received = 0;
      emitted = 0;
    },
  };
}

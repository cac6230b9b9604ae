import { createHash } from 'node:crypto';

/** Hash of audio that is passed block by block. */
export interface AudioHash {
  /** Adds samples, one array per audio channel. */
  push(block: readonly Float32Array[]): void;
  /** Returns the hash in hex. */
  finish(): string;
}

/**
 * Creates a hash of decoded samples. Samples are rounded to 16 bits, so that the same recording has the same hash in
 * every lossless format of 16 bits, under any tags. A lossy copy has another one.
 */
export function createAudioHash(format: {
  readonly sampleRate: number;
  readonly channels: number;
}): AudioHash {
  const hash = createHash('sha256').update(`${format.sampleRate} ${format.channels} `);
  let rounded = new Int16Array(0);
  return {
    push(block) {
      const frames = block[0]?.length ?? 0;
      const count = block.length;
      if (rounded.length < frames * count) rounded = new Int16Array(frames * count);
      for (const [channel, samples] of block.entries())
        for (let frame = 0; frame < frames; frame++) {
          const value = Math.round((samples[frame] ?? 0) * 32_768);
          rounded[frame * count + channel] = Math.max(-32_768, Math.min(32_767, value));
        }
      hash.update(new Uint8Array(rounded.buffer, 0, frames * count * 2));
    },
    finish: () => hash.digest('hex'),
  };
}

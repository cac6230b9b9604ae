import { type BufferPool, createBufferPool } from './buffer-pool.ts';

/** How similar frames are searched. */
export interface SimilarFramesOptions {
  /** Number of preceding frames that are compared too. */
  readonly back: number;
  /** Number of following frames that are compared too. */
  readonly ahead: number;
  /** Number of frames to find, including the frame itself. */
  readonly count: number;
  /** Minimum distance between two found frames, in frames. */
  readonly spacing: number;
}

/**
 * Returns for each frame the most similar frames by mean squared distance of the features, the nearest first. Fewer than
 * `count` if the audio is too short.
 *
 * @param features `width` values per frame
 * @see Rafii and Pardo, Music/Voice Separation Using the Similarity Matrix, ISMIR 2012
 */
export function findSimilarFrames(
  features: Float32Array,
  width: number,
  { back, ahead, count, spacing }: SimilarFramesOptions,
  pool: BufferPool = createBufferPool(),
): Int32Array[] {
  const frames = Math.floor(features.length / width);
  const distances = squaredDistances(features, width, frames, pool.acquire(frames * frames));
  const row = new Float32Array(frames);
  const similar = Array.from({ length: frames }, (_, t) => {
    for (let other = 0; other < frames; other++) {
      const from = Math.max(-back, -t, -other);
      const to = Math.min(ahead, frames - 1 - t, frames - 1 - other);
      let sum = 0;
      for (let d = from, at = (t + from) * frames + other + from; d <= to; d++, at += frames + 1) {
        sum += distances[at] as number;
      }
      row[other] = sum / (to - from + 1);
    }
    return nearest(row, count, spacing);
  });
  pool.release(distances);
  return similar;
}

function squaredDistances(
  features: Float32Array,
  width: number,
  frames: number,
  distances: Float32Array,
): Float32Array {
  for (let a = 0; a < frames; a++) {
    for (let b = a + 1; b < frames; b++) {
      let sum = 0;
      for (let i = 0, atA = a * width, atB = b * width; i < width; i++) {
        const difference = (features[atA + i] as number) - (features[atB + i] as number);
        sum += difference * difference;
      }
      distances[a * frames + b] = sum;
      distances[b * frames + a] = sum;
    }
  }
  return distances;
}

/** Returns the indices of the smallest values that are `spacing` apart. Overwrites `row`. */
function nearest(row: Float32Array, count: number, spacing: number): Int32Array {
  const found = new Int32Array(count);
  for (let n = 0; n < count; n++) {
    let best = -1;
    let bestDistance = Number.POSITIVE_INFINITY;
    for (let i = 0; i < row.length; i++) {
      if ((row[i] as number) < bestDistance) {
        bestDistance = row[i] as number;
        best = i;
      }
    }
    if (best < 0) return found.slice(0, n);
    found[n] = best;
    row.fill(Number.POSITIVE_INFINITY, Math.max(0, best - spacing), best + spacing + 1);
  }
  return found;
}

/**
 * Returns for each frame and bin the quantile over its similar frames, at most the value itself.
 *
 * @param spectrogram `bins` values per frame
 * @param usedBins number of bins per frame of the result
 * @param quantile 0 for the minimum, 0.5 for the median
 */
export function quantileOverSimilar(
  spectrogram: Float32Array,
  bins: number,
  usedBins: number,
  similar: readonly Int32Array[],
  quantile: number,
  pool: BufferPool = createBufferPool(),
): Float32Array {
  const result = pool.acquire(similar.length * usedBins);
  const sorted = new Float32Array(Math.max(1, ...similar.map((frames) => frames.length)));
  for (const [t, frames] of similar.entries()) {
    const rank = Math.floor(quantile * (frames.length - 1));
    for (let k = 0; k < usedBins; k++) {
      // Only the smallest values, up to the requested rank, are kept sorted.
      let held = 0;
      for (let n = 0; n < frames.length; n++) {
        const value = spectrogram[(frames[n] as number) * bins + k] as number;
        if (held > rank && value >= (sorted[rank] as number)) continue;
        let at = held > rank ? rank : held++;
        for (; at > 0 && (sorted[at - 1] as number) > value; at--) sorted[at] = sorted[at - 1] as number;
        sorted[at] = value;
      }
      result[t * usedBins + k] = Math.min(sorted[rank] as number, spectrogram[t * bins + k] as number);
    }
  }
  return result;
}

import { createPlaneLender, type PlaneLender } from './planes.ts';

/** How alike frames are looked for. */
export interface SimilarFramesOptions {
  /** Frames before each frame that must be alike too. */
  readonly back: number;
  /** Frames after each frame that must be alike too. */
  readonly ahead: number;
  /** How many are wanted, the frame itself included. */
  readonly count: number;
  /** Two of them are further apart than this many frames. */
  readonly spacing: number;
}

/**
 * For each frame the frames that are most like it and its surroundings, the nearest first; fewer than `count`
 * where the sound is too short for that many. Likeness is the mean squared distance of the features.
 *
 * @param features `width` numbers a frame
 * @see Rafii and Pardo, Music/Voice Separation Using the Similarity Matrix, ISMIR 2012
 */
export function findSimilarFrames(
  features: Float32Array,
  width: number,
  { back, ahead, count, spacing }: SimilarFramesOptions,
  planes: PlaneLender = createPlaneLender(),
): Int32Array[] {
  const frames = Math.floor(features.length / width);
  const distances = squaredDistances(features, width, frames, planes.take(frames * frames));
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
  planes.give(distances);
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

/** Takes the smallest again and again, blotting out what is near it. Spoils `row`. */
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
 * In each frame and bin the quantile of a plane over the similar frames, but never more than what is there.
 *
 * @param plane `bins` numbers a frame
 * @param usedBins how many bins of each frame the result has
 * @param quantile 0 the least, 0.5 the median
 */
export function quantileOverSimilar(
  plane: Float32Array,
  bins: number,
  usedBins: number,
  similar: readonly Int32Array[],
  quantile: number,
  planes: PlaneLender = createPlaneLender(),
): Float32Array {
  const result = planes.take(similar.length * usedBins);
  const sorted = new Float32Array(Math.max(1, ...similar.map((frames) => frames.length)));
  for (const [t, frames] of similar.entries()) {
    const rank = Math.floor(quantile * (frames.length - 1));
    for (let k = 0; k < usedBins; k++) {
      // Only the smallest values, up to the rank that is asked for, are kept in order.
      let held = 0;
      for (let n = 0; n < frames.length; n++) {
        const value = plane[(frames[n] as number) * bins + k] as number;
        if (held > rank && value >= (sorted[rank] as number)) continue;
        let at = held > rank ? rank : held++;
        for (; at > 0 && (sorted[at - 1] as number) > value; at--) sorted[at] = sorted[at - 1] as number;
        sorted[at] = value;
      }
      result[t * usedBins + k] = Math.min(sorted[rank] as number, plane[t * bins + k] as number);
    }
  }
  return result;
}

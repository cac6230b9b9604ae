import type { Stereo } from './backends/backend.ts';

/** A piece of the track: what one engine operation works on. */
export interface Segment extends Stereo {
  /** 0, 1, 2, … */
  readonly index: number;
  /** No segment follows. */
  readonly isLast: boolean;
}

/** How a track is cut, in frames of both sides. */
export interface SegmentPlan {
  readonly segmentFrames: number;
  readonly overlapFrames: number;
}

/**
 * Cuts a stream of stereo blocks into segments that overlap, holding no more than one and a half segments.
 * What is left at the end joins the last segment when it is shorter than half a segment, so that no segment is
 * too short to be judged. An empty stream gives no segment.
 *
 * ```
 * |—— segment 0 ——|
 *              |—— segment 1 ——|
 *                           |—— segment 2 (last) ———|
 * ```
 */
export async function* cutSegments(
  blocks: AsyncIterable<Stereo>,
  { segmentFrames, overlapFrames }: SegmentPlan,
): AsyncGenerator<Segment> {
  const hop = segmentFrames - overlapFrames;
  const reach = segmentFrames + Math.floor(segmentFrames / 2);
  const left = new Float32Array(reach);
  const right = new Float32Array(reach);
  let held = 0;
  let index = 0;
  for await (const block of blocks) {
    let taken = 0;
    while (taken < block.left.length) {
      if (held === reach) {
        yield {
          index,
          isLast: false,
          left: left.slice(0, segmentFrames),
          right: right.slice(0, segmentFrames),
        };
        index++;
        left.copyWithin(0, hop, held);
        right.copyWithin(0, hop, held);
        held -= hop;
      }
      const count = Math.min(reach - held, block.left.length - taken);
      left.set(block.left.subarray(taken, taken + count), held);
      right.set(block.right.subarray(taken, taken + count), held);
      held += count;
      taken += count;
    }
  }
  if (held > 0) yield { index, isLast: true, left: left.slice(0, held), right: right.slice(0, held) };
}

/**
 * The weight of the later of two segments along their overlap: 0 over the first quarter and 1 over the last
 * (there the estimates lean on padding instead of sound), between them a raised cosine. The earlier segment has
 * one minus it, so that whatever sums to the mixture in both segments sums to it in the joint as well.
 */
export function seamWeights(overlapFrames: number): Float32Array {
  const weights = new Float32Array(overlapFrames);
  const fadeStart = Math.floor(overlapFrames / 4);
  const fadeFrames = overlapFrames - 2 * fadeStart;
  for (let i = 0; i < overlapFrames; i++) {
    const position = Math.min(1, Math.max(0, (i - fadeStart + 0.5) / fadeFrames));
    weights[i] = 0.5 - 0.5 * Math.cos(Math.PI * position);
  }
  return weights;
}

/**
 * Joins the overlapping parts of one signal back into a stream, by cross-fading along {@link seamWeights}.
 * `push` takes the parts in order and gives back the frames that are final, in the memory of the part: a part is
 * given away and must not be used afterwards.
 */
export function createSeam(overlapFrames: number): {
  push(part: Float32Array, isLast: boolean): Float32Array;
} {
  const weights = seamWeights(overlapFrames);
  let tail: Float32Array | null = null;
  return {
    push(part, isLast) {
      const joined = part.subarray(0, isLast ? part.length : part.length - overlapFrames);
      const nextTail = isLast ? null : part.slice(part.length - overlapFrames);
      if (tail !== null) {
        for (let i = 0; i < overlapFrames; i++) {
          const weight = weights[i] ?? 0;
          joined[i] = (tail[i] ?? 0) * (1 - weight) + (part[i] ?? 0) * weight;
        }
      }
      tail = nextTail;
      return joined;
    },
  };
}

import type { Stereo } from './stereo.ts';

/** A segment of the track, separated in one operation. */
export interface Segment extends Stereo {
  /** 0, 1, 2, … */
  readonly index: number;
  /** Whether no segment follows. */
  readonly isLast: boolean;
  /** Index in both audio channels at which the segment begins; the rest is context for the network. */
  readonly from: number;
  /** Frames of the segment without its context. */
  readonly frames: number;
}

/** How a track is cut into segments and joined again. */
export interface SegmentPlan {
  readonly segmentFrames: number;
  readonly overlapFrames: number;
  /**
   * - `lengthened`: a remainder shorter than half a segment is appended to the last segment. Segments are joined by a
   *   raised cosine over the middle half of the overlap.
   * - `padded`: all segments have the same length. A short last one is preceded by the audio before it and followed by
   *   silence, half each. Segments are joined by triangular windows, as in Demucs.
   */
  readonly ends: 'lengthened' | 'padded';
}

/**
 * Cuts a stream of stereo blocks into overlapping segments. Holds at most two segments; an empty stream yields none.
 *
 * ```
 * |—— segment 0 ——|
 *              |—— segment 1 ——|
 *                           |—— segment 2 (last) ———|
 * ```
 */
export function cutSegments(blocks: AsyncIterable<Stereo>, plan: SegmentPlan): AsyncGenerator<Segment> {
  return plan.ends === 'padded' ? cutPadded(blocks, plan) : cutLengthened(blocks, plan);
}

async function* cutLengthened(
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
          from: 0,
          frames: segmentFrames,
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
  if (held === 0) return;
  const sides = { left: left.slice(0, held), right: right.slice(0, held) };
  yield { index, isLast: true, from: 0, frames: held, ...sides };
}

/**
 * Cuts segments of equal length, one at each hop. The first is preceded by silence, so that a short one has context.
 *
 * @see apply_model and TensorChunk of Demucs, which give the same result
 */
async function* cutPadded(
  blocks: AsyncIterable<Stereo>,
  { segmentFrames, overlapFrames }: SegmentPlan,
): AsyncGenerator<Segment> {
  const hop = segmentFrames - overlapFrames;
  const before = Math.floor(segmentFrames / 2);
  const reach = before + segmentFrames;
  const sides = [new Float32Array(reach + hop), new Float32Array(reach + hop)] as const;
  let held = before;
  let index = 0;
  const cut = (): Segment => {
    const frames = Math.min(held - before, segmentFrames);
    const from = Math.floor((segmentFrames - frames) / 2);
    const [left, right] = sides.map((side) => {
      const piece = new Float32Array(segmentFrames);
      piece.set(side.subarray(before - from, before + frames));
      return piece;
    }) as [Float32Array, Float32Array];
    return { index: index++, isLast: held - before <= hop, from, frames, left, right };
  };
  const advance = (): void => {
    for (const side of sides) side.copyWithin(0, hop, held);
    held -= hop;
  };
  for await (const block of blocks) {
    let taken = 0;
    while (taken < block.left.length) {
      const count = Math.min(reach + hop - held, block.left.length - taken);
      sides[0].set(block.left.subarray(taken, taken + count), held);
      sides[1].set(block.right.subarray(taken, taken + count), held);
      held += count;
      taken += count;
      if (held < reach + hop) continue;
      yield cut();
      advance();
    }
  }
  if (held === before && index === 0) return;
  for (;;) {
    const segment = cut();
    yield segment;
    if (segment.isLast) return;
    advance();
  }
}

/**
 * Returns the weights of the later of two segments along their overlap; the earlier one has one minus these.
 *
 * Stems that sum to the mixture in both segments therefore sum to it in the overlap.
 *
 * - `lengthened`: 0 over the first quarter and 1 over the last, where estimates depend on padding; a raised cosine
 *   between them.
 * - `padded`: the quotient of two triangular windows and their sum, a straight line.
 */
export function seamWeights({ overlapFrames, ends }: SegmentPlan): Float32Array {
  if (ends === 'padded')
    return Float32Array.from({ length: overlapFrames }, (_, i) => (i + 1) / (overlapFrames + 1));
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
 * Joins overlapping segments of one signal by cross-fading along {@link seamWeights}.
 *
 * `push` takes the segments in order and returns the frames that are final, in the memory of the segment, which must not
 * be used afterwards.
 */
export function createSeam(plan: SegmentPlan): {
  push(part: Float32Array, isLast: boolean): Float32Array;
} {
  const hop = plan.segmentFrames - plan.overlapFrames;
  const weights = seamWeights(plan);
  let tail: Float32Array | null = null;
  return {
    push(part, isLast) {
      const joined = part.subarray(0, isLast ? part.length : hop);
      // Shorter than the overlap if the audio ends within it.
      const nextTail = isLast ? null : part.slice(hop);
      for (let i = 0; i < (tail?.length ?? 0); i++) {
        const weight = weights[i] as number;
        joined[i] = (tail?.[i] as number) * (1 - weight) + (part[i] as number) * weight;
      }
      tail = nextTail;
      return joined;
    },
  };
}

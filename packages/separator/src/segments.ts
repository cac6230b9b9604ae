import type { Stereo } from './stereo.ts';

/** A piece of the track: what one engine operation works on. */
export interface Segment extends Stereo {
  /** 0, 1, 2, … */
  readonly index: number;
  /** No segment follows. */
  readonly isLast: boolean;
  /** Where the piece begins in the two sides; before it and behind it is what a network wants to hear around it. */
  readonly from: number;
  /** Frames of the piece. */
  readonly frames: number;
}

/** How a track is cut, in frames of both sides, and joined again. */
export interface SegmentPlan {
  readonly segmentFrames: number;
  readonly overlapFrames: number;
  /**
   * - `lengthened`: what is left at the end joins the last segment when it is shorter than half a segment, so that
   *   none is too short to be judged; joined by a raised cosine over the middle half of the overlap.
   * - `padded`: both sides of every segment are equally long: what is missing around the last is taken half from the
   *   sound before it, half as silence behind it; joined by triangles, as the networks of the Demucs family are.
   */
  readonly ends: 'lengthened' | 'padded';
}

/**
 * Cuts a stream of stereo blocks into segments that overlap, holding no more than two segments. An empty stream gives
 * no segment.
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
 * A segment begins at each hop at which there is sound. Before the first one silence is held, so that a short one
 * always has something before it.
 *
 * @see apply_model and TensorChunk of Demucs, whose results this repeats
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
 * The weight of the later of two segments along their overlap; the earlier one has one minus it, so that whatever sums
 * to the mixture in both segments sums to it in the joint as well.
 *
 * - `lengthened`: 0 over the first quarter and 1 over the last (there the estimates lean on padding instead of sound),
 *   between them a raised cosine.
 * - `padded`: what two triangles over the segments come to where they are divided by their sum, a straight line.
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
 * Joins the overlapping parts of one signal back into a stream, by cross-fading along {@link seamWeights}.
 * `push` takes the parts in order and gives back the frames that are final, in the memory of the part: a part is
 * given away and must not be used afterwards.
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
      // Shorter than the overlap where the sound ends within it.
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

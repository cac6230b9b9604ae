import { sourceMsAt, type Warp } from '@stem-studio/contract/projects/warp';

/** How a clip plays its source other than as recorded, in sample frames. Times of the warp are frames − `offsetFrames`. */
export interface ArrangedWarp {
  /** Equal for warps that play the same audio at the same time of the warp. */
  readonly key: string;
  /** Times of the warp at which the tempo changes, in whole frames; empty for the recorded tempo. */
  readonly at: Float64Array;
  /** Frames of the source there. */
  readonly from: Float64Array;
  readonly semitones: number;
  /** Frames of the source if it plays backwards: frame n is `mirrorFrames − 1 − n` of the file. Null if it plays forwards. */
  readonly mirrorFrames: number | null;
}

/** What a clip does with its source. */
export interface ClipWarp {
  readonly source: number;
  readonly warp: Warp | undefined;
  readonly semitones: number;
  readonly isReversed: boolean;
  readonly sourceFrames: number;
}

/** Returns a warp in sample frames; null for audio that plays as recorded. */
export function arrangeWarp(
  { source, warp, semitones, isReversed, sourceFrames }: ClipWarp,
  rateHz: number,
): ArrangedWarp | null {
  if (!warp && semitones === 0 && !isReversed) return null;
  const points = warp?.points ?? [];
  const at = Float64Array.from(points, ({ at_ms }) => Math.round((at_ms * rateHz) / 1000));
  const from = Float64Array.from(at, (frame) => (sourceMsAt(warp, (1000 * frame) / rateHz) * rateHz) / 1000);
  return {
    key: `${source} ${warp?.id ?? ''} ${semitones} ${isReversed}`,
    at,
    from,
    semitones,
    mirrorFrames: isReversed ? sourceFrames : null,
  };
}

/** Returns the number of points at or before a time of the warp. */
export function segmentAt({ at }: ArrangedWarp, frame: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! > frame) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns the tempo of a segment as a factor; segment 0 is before the first point. */
export function segmentRate({ at, from }: ArrangedWarp, segment: number): number {
  if (segment === 0 || segment >= at.length) return 1;
  return (from[segment]! - from[segment - 1]!) / (at[segment]! - at[segment - 1]!);
}

/** Returns the frame of the source, before it is mirrored, at a time of the warp. */
export function sourceFrameAt(warp: ArrangedWarp, frame: number): number {
  const { at, from } = warp;
  if (at.length === 0) return frame;
  const segment = segmentAt(warp, frame);
  const point = Math.max(0, segment - 1);
  return from[point]! + (frame - at[point]!) * segmentRate(warp, segment);
}

/** Returns the time of the warp at a frame of the source, before it is mirrored. */
export function warpFrameAt(warp: ArrangedWarp, sourceFrame: number): number {
  const { at, from } = warp;
  if (at.length === 0) return sourceFrame;
  let [low, high] = [0, from.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (from[middle]! > sourceFrame) high = middle;
    else low = middle + 1;
  }
  const point = Math.max(0, low - 1);
  return at[point]! + (sourceFrame - from[point]!) / segmentRate(warp, low);
}

/** Audio around its position that a stretched clip reads, in seconds: frames of 93 ms, and onsets ahead of them. */
const REACH_SECONDS = 0.25;

/** Returns the first frame of the file that a part of a warp reads; it may be before the file. */
export function firstReadFrame(warp: ArrangedWarp, from: number, to: number, rateHz: number): number {
  const { mirrorFrames } = warp;
  const reach = REACH_SECONDS * rateHz;
  return mirrorFrames === null
    ? Math.floor(sourceFrameAt(warp, from) - reach)
    : Math.floor(mirrorFrames - 1 - sourceFrameAt(warp, to) - reach);
}

/** Returns the frame of the file after the last one that a part of a warp reads; it may be behind the file. */
export function lastReadFrame(warp: ArrangedWarp, from: number, to: number, rateHz: number): number {
  const { mirrorFrames } = warp;
  const reach = REACH_SECONDS * rateHz;
  return mirrorFrames === null
    ? Math.ceil(sourceFrameAt(warp, to) + reach)
    : Math.ceil(mirrorFrames - sourceFrameAt(warp, from) + reach);
}

/** Returns the time of a warp at which a span of the file is read first. */
export function readAt(warp: ArrangedWarp, fileFrom: number, fileTo: number, rateHz: number): number {
  const { mirrorFrames } = warp;
  const sourceFrame = mirrorFrames === null ? fileFrom : mirrorFrames - fileTo;
  return warpFrameAt(warp, sourceFrame - REACH_SECONDS * rateHz);
}

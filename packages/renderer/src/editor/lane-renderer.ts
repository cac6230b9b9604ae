import type { ChunkedSource } from '../sources/chunked-source.ts';
import type { ArrangedClip, Arrangement } from './arrangement.ts';
import { clipGainAt } from './clip-gain.ts';
import { ClipStretchers } from './clip-stretchers.ts';
import { firstReadFrame, lastReadFrame } from './warp-map.ts';

/** Most frames that are rendered at once. */
export const EDIT_BLOCK_FRAMES = 128;

/** Returns the index of the first clip that ends after a frame; the number of clips if there is none. */
function firstEndingAfter(clips: readonly ArrangedClip[], frame: number): number {
  let [low, high] = [0, clips.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (clips[middle]!.endFrame > frame) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Mixes the clips of a lane at any position. Allocates nothing but in `prepare`. */
export class LaneRenderer {
  readonly #sources: readonly ChunkedSource[];
  readonly #sampleRateHz: number;
  readonly #stretchers: ClipStretchers;
  readonly #clipLeft = new Float32Array(EDIT_BLOCK_FRAMES);
  readonly #clipRight = new Float32Array(EDIT_BLOCK_FRAMES);

  constructor(sources: readonly ChunkedSource[], sampleRateHz: number) {
    this.#sources = sources;
    this.#sampleRateHz = sampleRateHz;
    this.#stretchers = new ClipStretchers(sampleRateHz);
  }

  /**
   * Adds one lane from a frame of the timeline on to `left` and `right`, before its strip.
   *
   * @param frames at most {@link EDIT_BLOCK_FRAMES}
   */
  addLane(
    clips: readonly ArrangedClip[],
    frame: number,
    frames: number,
    left: Float32Array,
    right: Float32Array,
  ): void {
    const end = frame + frames;
    for (let index = firstEndingAfter(clips, frame); index < clips.length; index++) {
      const clip = clips[index]!;
      if (clip.startFrame >= end) return;
      const source = this.#sources[clip.source];
      if (!source) continue;
      const from = Math.max(frame, clip.startFrame);
      const count = Math.min(end, clip.endFrame) - from;
      this.#readClip(source, clip, from - clip.offsetFrames, count);
      const isSteady =
        from - clip.startFrame >= clip.fadeIn.frames && clip.endFrame - from - count >= clip.fadeOut.frames;
      const begin = from - frame;
      for (let n = 0; n < count; n++) {
        const gain = isSteady ? clip.gain : clipGainAt(clip, from + n);
        left[begin + n]! += this.#clipLeft[n]! * gain;
        right[begin + n]! += this.#clipRight[n]! * gain;
      }
    }
  }

  #readClip(source: ChunkedSource, { warp }: ArrangedClip, from: number, count: number): void {
    if (warp) {
      this.#stretchers.read(source, warp, from, count, this.#clipLeft, this.#clipRight);
      return;
    }
    this.#clipLeft.fill(0, 0, count);
    this.#clipRight.fill(0, 0, count);
    source.addTo(this.#clipLeft, this.#clipRight, 0, from, count, 1, 1);
  }

  /** Prepares for an arrangement. */
  prepare({ lanes }: Arrangement): void {
    const warped = lanes.filter(({ clips }) => clips.some(({ warp }) => warp)).length;
    // Two clips of a lane overlap, and what fades out after a jump plays on.
    if (warped > 0) this.#stretchers.reserve(2 * warped + 2);
  }

  /** Returns whether the samples of a part of the timeline are loaded. */
  isLoaded({ lanes }: Arrangement, frame: number, frames: number): boolean {
    const end = frame + frames;
    for (const { clips } of lanes) {
      for (let index = firstEndingAfter(clips, frame); index < clips.length; index++) {
        const clip = clips[index]!;
        if (clip.startFrame >= end) break;
        const source = this.#sources[clip.source];
        if (!source) continue;
        const from = Math.max(frame, clip.startFrame) - clip.offsetFrames;
        const to = Math.min(end, clip.endFrame) - clip.offsetFrames;
        const first = clip.warp ? firstReadFrame(clip.warp, from, to, this.#sampleRateHz) : from;
        const last = clip.warp ? lastReadFrame(clip.warp, from, to, this.#sampleRateHz) : to;
        if (!source.isLoaded(first, last)) return false;
      }
    }
    return true;
  }
}

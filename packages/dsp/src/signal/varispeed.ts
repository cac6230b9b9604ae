import { SincKernel } from './sinc-kernel.ts';
import type { StereoReader } from './stereo-reader.ts';

/** Samples of the song read at once. */
const SPAN = 2048;

/**
 * Plays a song like a tape or a record: pitch and tempo change together, forwards and backwards.
 *
 * Frequencies too high for the current rate are filtered out and do not alias; see {@link SincKernel} for the quality,
 * up to eight times the recorded rate. At rate 1 from a whole position on, the output is the song itself, sample for
 * sample. Allocates nothing in use.
 */
export class Varispeed {
  readonly #kernel = new SincKernel();
  readonly #left = new Float32Array(SPAN);
  readonly #right = new Float32Array(SPAN);

  /**
   * Renders the next samples.
   *
   * @param position position in the song of the first sample, in samples with their fraction
   * @param rate samples of the song per output sample at the first one; negative backwards, 0 stands still
   * @param endRate rate at the last sample, reached linearly
   * @returns the position of the sample after the last
   */
  process(
    reader: StereoReader,
    position: number,
    rate: number,
    endRate: number,
    left: Float32Array,
    right: Float32Array,
    frames: number,
  ): number {
    if (rate === 1 && endRate === 1 && Number.isInteger(position)) {
      reader.read(position, left, right, frames);
      return position + frames;
    }
    const bend = (endRate - rate) / frames;
    let readPosition = position;
    for (let n = 0; n < frames; ) {
      const currentRate = rate + bend * n;
      // Number of samples for which one read of the song has space.
      const fastest = Math.max(1, Math.abs(currentRate), Math.abs(endRate));
      const space = SPAN - 2 * SincKernel.reachAt(fastest) - 2;
      const count = Math.max(1, Math.min(frames - n, Math.floor(space / fastest)));
      readPosition = this.#render(reader, readPosition, currentRate, bend, left, right, n, count);
      n += count;
    }
    return readPosition;
  }

  #render(
    reader: StereoReader,
    position: number,
    rate: number,
    bend: number,
    left: Float32Array,
    right: Float32Array,
    from: number,
    count: number,
  ): number {
    const kernel = this.#kernel;
    const last = rate + bend * count;
    const fastest = Math.max(Math.abs(rate), Math.abs(last));
    const reach = SincKernel.reachAt(fastest);
    const first = Math.floor(position - (rate < 0 || last < 0 ? count * fastest : 0)) - reach;
    const end = Math.ceil(position + (rate > 0 || last > 0 ? count * fastest : 0)) + reach;
    const span = Math.min(SPAN, end - first);
    reader.read(first, this.#left, this.#right, span);
    let readPosition = position;
    let currentRate = rate;
    for (let n = from; n < from + count; n++) {
      kernel.computeWeights(readPosition, currentRate);
      const offset = kernel.first - first;
      let l = 0;
      let r = 0;
      for (let tap = 0; tap < kernel.count; tap++) {
        const weight = kernel.weights[tap]!;
        l += this.#left[offset + tap]! * weight;
        r += this.#right[offset + tap]! * weight;
      }
      left[n] = l;
      right[n] = r;
      readPosition += currentRate;
      currentRate += bend;
    }
    return readPosition;
  }
}

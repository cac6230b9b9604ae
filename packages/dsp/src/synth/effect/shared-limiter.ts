import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';

/**
 * Limits the sum of several stems with one gain for all of them.
 *
 * The sum stays below the ceiling, and the stems still add up to it.
 *
 * sum → peak → least gain over the look-ahead → slow release → mean over the look-ahead → gain of every stem
 *
 * The output is delayed by `delay` samples.
 *
 * @see Giannoulis, Massberg, Reiss, "Digital dynamic range compressor design", JAES 60(6), 2012
 */
export class SharedLimiter {
  /** Delay of the output in samples. */
  readonly delay: number;
  readonly #ceiling: number;
  readonly #release: number;
  readonly #late: Float32Array[];
  readonly #wanted: Float64Array;
  readonly #means: Float64Array;
  #at = 0;
  #seen = 0;
  #gain = 1;
  #sum: number;
  #least = 1;
  #leastAge = 0;

  /**
   * @param sides number of arrays limited together (two for each stem)
   * @param ceiling greatest absolute sample of the sum of the left sides, and of the right sides
   */
  constructor(sides: number, ceiling: number, lookAheadSeconds: number, releaseSeconds: number) {
    this.delay = Math.round(lookAheadSeconds * SAMPLE_RATE_HZ);
    this.#ceiling = ceiling;
    this.#release = 1 - Math.exp(-1 / (releaseSeconds * SAMPLE_RATE_HZ));
    this.#late = Array.from({ length: sides }, () => new Float32Array(this.delay));
    this.#wanted = new Float64Array(this.delay + 1).fill(1);
    this.#means = new Float64Array(this.delay).fill(1);
    this.#sum = this.delay;
  }

  /**
   * Limits `count` samples in place.
   *
   * @param stems left, right, left, right … in the order of the constructor
   */
  process(stems: readonly Float32Array[], count: number): void {
    const length = this.delay;
    for (let index = 0; index < count; index++) {
      let left = 0;
      let right = 0;
      for (let stem = 0; stem < stems.length; stem += 2) {
        left += stems[stem]![index]!;
        right += stems[stem + 1]![index]!;
      }
      const peak = Math.max(Math.abs(left), Math.abs(right));
      const least = this.#leastOver(peak > this.#ceiling ? this.#ceiling / peak : 1);
      this.#gain = Math.min(least, this.#gain + (1 - this.#gain) * this.#release);
      const at = this.#at;
      this.#sum += this.#gain - this.#means[at]!;
      this.#means[at] = this.#gain;
      const gain = Math.min(1, this.#sum / length);
      for (let stem = 0; stem < stems.length; stem++) {
        const late = this.#late[stem]!;
        const samples = stems[stem]!;
        const out = late[at]! * gain;
        late[at] = samples[index]!;
        samples[index] = out;
      }
      this.#at = at + 1 === length ? 0 : at + 1;
    }
  }

  /**
   * Returns the minimum of the last `delay` + 1 wanted gains; searched again only when the minimum has left the window.
   */
  #leastOver(wanted: number): number {
    const length = this.#wanted.length;
    this.#wanted[this.#seen % length] = wanted;
    this.#seen++;
    this.#leastAge++;
    if (wanted <= this.#least) {
      this.#least = wanted;
      this.#leastAge = 0;
    } else if (this.#leastAge >= length) {
      this.#least = wanted;
      this.#leastAge = 0;
      for (let age = 1; age < length; age++) {
        const candidate = this.#wanted[(this.#seen - 1 - age + length * 2) % length]!;
        if (candidate < this.#least) {
          this.#least = candidate;
          this.#leastAge = age;
        }
      }
    }
    return this.#least;
  }
}

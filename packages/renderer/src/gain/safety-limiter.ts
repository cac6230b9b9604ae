/** Highest output level: −0.1 dB below full scale. */
export const LIMITER_CEILING = 10 ** (-0.1 / 20);
const LOOKAHEAD_SECONDS = 0.0015;
const RELEASE_SECONDS = 0.12;

/**
 * Keeps a stereo sum below full scale. Audio below the ceiling passes unchanged except for the look-ahead delay; before
 * a peak the gain is reduced smoothly.
 *
 * `gain(n) = mean over N of min over N of min(1, ceiling / peak)`, applied N − 1 samples late, so that the gain is
 * never above what a sample needs. Allocates nothing.
 *
 * @see D. Giannoulis, M. Massberg, J. D. Reiss, "Digital Dynamic Range Compressor Design", JAES 60(6), 2012
 */
export class SafetyLimiter {
  /** Latency in samples. */
  readonly delayFrames: number;
  /** Lowest gain since it was last set to 1. */
  lowestGain = 1;
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  readonly #clamped: Float64Array;
  /** Indices and values of a monotonic queue whose front is the lowest gain of the last N samples. */
  readonly #queueAt: Float64Array;
  readonly #queueGain: Float64Array;
  readonly #release: number;
  #front = 0;
  #back = 0;
  #now = 0;
  #sum: number;
  #slow = 1;

  constructor(sampleRateHz: number) {
    const length = Math.max(2, Math.round(LOOKAHEAD_SECONDS * sampleRateHz));
    this.delayFrames = length - 1;
    this.#left = new Float32Array(length);
    this.#right = new Float32Array(length);
    this.#clamped = new Float64Array(length).fill(1);
    this.#queueAt = new Float64Array(length + 1);
    this.#queueGain = new Float64Array(length + 1);
    this.#release = 1 - Math.exp(-1 / (RELEASE_SECONDS * sampleRateHz));
    this.#sum = length;
  }

  /** Limits `frames` samples in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    const length = this.#clamped.length;
    for (let i = 0; i < frames; i++) {
      const l = left[i] ?? 0;
      const r = right[i] ?? 0;
      const peak = Math.max(Math.abs(l), Math.abs(r));
      const lowest = this.#lowest(peak > LIMITER_CEILING ? LIMITER_CEILING / peak : 1);
      this.#slow = Math.min(lowest, this.#slow + (1 - this.#slow) * this.#release);
      const at = this.#now % length;
      this.#sum += this.#slow - (this.#clamped[at] ?? 0);
      this.#clamped[at] = this.#slow;
      this.#left[at] = l;
      this.#right[at] = r;
      this.#now++;
      const out = this.#now % length;
      const gain = Math.min(1, this.#sum / length);
      if (gain < this.lowestGain) this.lowestGain = gain;
      left[i] = (this.#left[out] ?? 0) * gain;
      right[i] = (this.#right[out] ?? 0) * gain;
    }
  }

  #lowest(gain: number): number {
    const size = this.#queueAt.length;
    while (this.#back > this.#front && (this.#queueGain[(this.#back - 1) % size] ?? 0) >= gain) this.#back--;
    this.#queueAt[this.#back % size] = this.#now;
    this.#queueGain[this.#back % size] = gain;
    this.#back++;
    if ((this.#queueAt[this.#front % size] ?? 0) <= this.#now - this.#clamped.length) this.#front++;
    return this.#queueGain[this.#front % size] ?? 1;
  }
}

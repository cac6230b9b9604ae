import { type ComplexFft, createComplexFft } from '../transform/complex-fft.ts';
import { hannWindow } from '../transform/window.ts';

/** Gains below −120 dB count as zero. */
const LEAST_GAIN = 1e-6;
/** Smallest ratio of power after to power before at which a bin has an onset. */
const RISE = 2.5;
/** Phases are taken only above this power, as a fraction of the power of the frame. */
const LEAST_PHASE = 1e-18;

/**
 * Processes one band of a phase vocoder over audio in memory.
 *
 * Each frame is a segment of the song whose phases are rotated so that it continues the frame before. The song is also
 * read one hop earlier, so that the phase advance is measured and not estimated, at any tempo.
 *
 * `song → window → transform → phases rotated → gain of the band → inverse → window → sum`
 *
 * Both channels go through one complex transform (left is its real part, right its imaginary one) and are rotated
 * alike, peak by peak, so that the stereo image and the bins of one partial stay together.
 *
 * @see J. Laroche, M. Dolson, "Improved phase vocoder time-scale modification of audio", IEEE Trans. SAP 7(3), 1999
 * @see M. Puckette, "Phase-locked vocoder", IEEE WASPAA 1995 (advance from two windows a hop apart)
 */
export class StretchBand {
  /** Samples in a frame. */
  readonly size: number;
  /** Samples between frames in the output: a quarter of a frame. */
  readonly hop: number;
  readonly #fft: ComplexFft;
  readonly #gains: Float64Array;
  readonly #from: number;
  readonly #to: number;
  /** Lowest bin whose power is computed: two below the lowest bin of the band, up to two above the highest. */
  readonly #low: number;
  readonly #high: number;
  readonly #window: Float32Array;
  #re: Float64Array;
  #im: Float64Array;
  /** Spectrum of the song one hop earlier, or of the frame before where that is the same. */
  #agoRe: Float64Array;
  #agoIm: Float64Array;
  /** Spectrum of the last frame after its phases were rotated. */
  readonly #outRe: Float64Array;
  readonly #outIm: Float64Array;
  readonly #workRe: Float64Array;
  readonly #workIm: Float64Array;
  readonly #power: Float64Array;
  readonly #before: Float64Array;
  readonly #peaks: Int32Array;
  readonly #rotationRe: Float64Array;
  readonly #rotationIm: Float64Array;
  /** Bins that contain the last onset. */
  readonly #onsetBins: Uint8Array;
  #isSilent = true;
  /** Position whose spectrum is in `#re` and `#im`; NaN if there is none. */
  #position = Number.NaN;
  #isAgoReady = false;

  /**
   * @param size samples in a frame, a power of two
   * @param gains gains of the band, for bins 0 to size / 2
   */
  constructor(size: number, gains: Float64Array) {
    this.size = size;
    this.hop = size / 4;
    this.#fft = createComplexFft(size);
    this.#gains = gains;
    this.#window = hannWindow(size);
    const isAudible = (gain: number): boolean => Math.abs(gain) > LEAST_GAIN;
    this.#from = Math.max(0, gains.findIndex(isAudible));
    this.#to = gains.findLastIndex(isAudible);
    this.#low = Math.max(0, this.#from - 2);
    this.#high = Math.min(size / 2, this.#to + 2);
    const create = (): Float64Array => new Float64Array(size);
    [this.#re, this.#im, this.#agoRe, this.#agoIm] = [create(), create(), create(), create()];
    [this.#outRe, this.#outIm, this.#workRe, this.#workIm] = [create(), create(), create(), create()];
    // One extra bin stays empty: the neighbour of the last.
    this.#power = new Float64Array(size / 2 + 2);
    this.#before = new Float64Array(size / 2 + 2);
    this.#peaks = new Int32Array(size / 4 + 2);
    this.#rotationRe = new Float64Array(size / 4 + 2);
    this.#rotationIm = new Float64Array(size / 4 + 2);
    this.#onsetBins = new Uint8Array(size / 2 + 1);
  }

  /** Discards the state of the frames before. */
  reset(): void {
    this.#position = Number.NaN;
    this.#outRe.fill(0);
    this.#outIm.fill(0);
  }

  /**
   * Runs the first step of a frame: reads the song around `position`.
   *
   * @param left `size + hop` samples of the song, from `position − size / 2 − hop` on
   */
  take(position: number, left: Float32Array, right: Float32Array): void {
    this.#isSilent = isSilence(left, right, this.size + this.hop);
    if (this.#isSilent) {
      this.#position = Number.NaN;
      return;
    }
    // At the original rate, the spectrum one hop earlier is that of the frame before.
    this.#isAgoReady = this.#position === position - this.hop;
    if (this.#isAgoReady) {
      const re = this.#re;
      const im = this.#im;
      this.#re = this.#agoRe;
      this.#im = this.#agoIm;
      this.#agoRe = re;
      this.#agoIm = im;
    } else {
      this.#fill(this.#agoRe, this.#agoIm, left, right, 0);
    }
    this.#position = position;
    this.#fill(this.#re, this.#im, left, right, this.hop);
    this.#fft.transform(this.#re, this.#im);
  }

  /**
   * Finds the bins that contain an onset: those whose power after it is more than 2.5 times that before it.
   *
   * @param left `1.75 · size` samples of the song, with the onset at `size`
   */
  listen(left: Float32Array, right: Float32Array): void {
    const { size } = this;
    const re = this.#workRe;
    const im = this.#workIm;
    const before = this.#before;
    this.#fill(re, im, left, right, 0);
    this.#fft.transform(re, im);
    for (let bin = this.#low; bin <= this.#high; bin++) before[bin] = powerOf(re, im, bin);
    this.#fill(re, im, left, right, 0.75 * size);
    this.#fft.transform(re, im);
    for (let bin = this.#low; bin <= this.#high; bin++) this.#power[bin] = powerOf(re, im, bin);
    for (let bin = this.#from; bin <= this.#to; bin++) {
      this.#onsetBins[bin] = around(this.#power, bin) > RISE * around(before, bin) ? 1 : 0;
    }
  }

  /**
   * Runs the second step: rotates the phases, except those of bins that keep the phases of the song.
   *
   * These are all bins, the bins with an onset found by {@link listen}, or none. They do not continue the frame before.
   */
  rotate(stay: 'all' | 'onsets' | 'none'): void {
    if (this.#isSilent) {
      this.#outRe.fill(0);
      this.#outIm.fill(0);
    } else if (stay === 'all') {
      this.#outRe.set(this.#re);
      this.#outIm.set(this.#im);
    } else {
      if (!this.#isAgoReady) this.#fft.transform(this.#agoRe, this.#agoIm);
      this.#lockPhases(stay === 'onsets');
    }
  }

  /**
   * Runs the third step: writes the windowed frame times `scale` to `re` (left) and `im` (right). Returns false for
   * silence.
   */
  give(scale: number): boolean {
    if (this.#isSilent) return false;
    const { size } = this;
    const { order } = this.#fft;
    const re = this.#workRe.fill(0);
    const im = this.#workIm.fill(0);
    for (let bin = this.#from; bin <= this.#to; bin++) {
      const gain = this.#gains[bin]!;
      const at = order[bin]!;
      // Exchanging real and imaginary parts makes the transform its own inverse.
      re[at] = gain * this.#outIm[bin]!;
      im[at] = gain * this.#outRe[bin]!;
      if (bin === 0 || bin === size / 2) continue;
      const mirror = order[size - bin]!;
      re[mirror] = gain * this.#outIm[size - bin]!;
      im[mirror] = gain * this.#outRe[size - bin]!;
    }
    this.#fft.transform(re, im);
    // Squared Hann windows with a hop of a quarter sum to 1.5.
    const norm = scale / (1.5 * size);
    for (let n = 0; n < size; n++) {
      const gain = this.#window[n]! * norm;
      re[n] = re[n]! * gain;
      im[n] = im[n]! * gain;
    }
    return true;
  }

  /** Right channel written by {@link give}. */
  get right(): Float64Array {
    return this.#workRe;
  }

  /** Left channel written by {@link give}. */
  get left(): Float64Array {
    return this.#workIm;
  }

  #fill(re: Float64Array, im: Float64Array, left: Float32Array, right: Float32Array, from: number): void {
    const { order } = this.#fft;
    for (let n = 0; n < this.size; n++) {
      const at = order[n]!;
      const gain = this.#window[n]!;
      re[at] = left[from + n]! * gain;
      im[at] = right[from + n]! * gain;
    }
  }

  #lockPhases(keepsOnsets: boolean): void {
    const count = this.#findPeaks();
    // All rotations are computed before any is applied, because applying them changes their input.
    for (let index = 0; index < count; index++) {
      const stays = keepsOnsets && this.#onsetBins[this.#peaks[index]!] === 1;
      this.#findRotation(index, stays);
    }
    let from = this.#from;
    for (let index = 0; index < count; index++) {
      const isLast = index === count - 1;
      const to = isLast ? this.#to : this.#valley(this.#peaks[index]!, this.#peaks[index + 1]!);
      this.#rotateRegion(from, to, this.#rotationRe[index]!, this.#rotationIm[index]!);
      from = to + 1;
    }
  }

  /** Finds bins with more power than the two on each side of them; at least one, if there is any power. */
  #findPeaks(): number {
    const power = this.#power;
    const re = this.#re;
    const im = this.#im;
    const low = this.#low;
    const high = this.#high;
    let strongest = this.#from;
    for (let bin = low; bin <= high; bin++) {
      power[bin] = powerOf(re, im, bin);
      if (bin >= this.#from && bin <= this.#to && power[bin]! > power[strongest]!) strongest = bin;
    }
    let count = 0;
    for (let bin = this.#from; bin <= this.#to; bin++) {
      const own = power[bin]!;
      const isPeak =
        (bin < low + 1 || own > power[bin - 1]!) &&
        (bin < low + 2 || own > power[bin - 2]!) &&
        (bin > high - 1 || own >= power[bin + 1]!) &&
        (bin > high - 2 || own >= power[bin + 2]!);
      if (isPeak) this.#peaks[count++] = bin;
    }
    if (count === 0) this.#peaks[count++] = strongest;
    return count;
  }

  /** Returns the bin of least power between two peaks, which belongs to the lower peak. */
  #valley(peak: number, next: number): number {
    const power = this.#power;
    let lowest = peak;
    for (let bin = peak + 1; bin < next; bin++) if (power[bin]! < power[lowest]!) lowest = bin;
    return lowest;
  }

  /** Computes the rotation with which a peak continues the frame before: the same for both channels. */
  #findRotation(index: number, stays: boolean): void {
    const { size } = this;
    const peak = this.#peaks[index]!;
    let rotationRe = 0;
    let rotationIm = 0;
    // Without power in the frame before there is no phase to continue.
    if (!stays && peak > 0 && peak < size / 2) {
      const lowest = Math.max(1, this.#from, peak - 1);
      const highest = Math.min(size / 2 - 1, this.#to, peak + 1);
      for (let bin = lowest; bin <= highest; bin++) {
        const mirror = size - bin;
        const or = this.#outRe[bin]!;
        const oi = this.#outIm[bin]!;
        const ar = this.#agoRe[bin]!;
        const ai = this.#agoIm[bin]!;
        rotationRe += or * ar + oi * ai;
        rotationIm += oi * ar - or * ai;
        const pr = this.#outRe[mirror]!;
        const pi = this.#outIm[mirror]!;
        const br = this.#agoRe[mirror]!;
        const bi = this.#agoIm[mirror]!;
        rotationRe += pr * br + pi * bi;
        rotationIm -= pi * br - pr * bi;
      }
    }
    const strength = Math.sqrt(rotationRe * rotationRe + rotationIm * rotationIm);
    const isKnown = strength > LEAST_PHASE;
    this.#rotationRe[index] = isKnown ? rotationRe / strength : 1;
    this.#rotationIm[index] = isKnown ? rotationIm / strength : 0;
  }

  #rotateRegion(from: number, to: number, cos: number, sin: number): void {
    const { size } = this;
    for (let bin = from; bin <= to; bin++) {
      const re = this.#re[bin]!;
      const im = this.#im[bin]!;
      if (bin === 0 || bin === size / 2) {
        // Both channels are real in this bin; a rotation would mix them.
        this.#outRe[bin] = re;
        this.#outIm[bin] = im;
        continue;
      }
      this.#outRe[bin] = re * cos - im * sin;
      this.#outIm[bin] = re * sin + im * cos;
      const mirror = size - bin;
      const mr = this.#re[mirror]!;
      const mi = this.#im[mirror]!;
      this.#outRe[mirror] = mr * cos + mi * sin;
      this.#outIm[mirror] = mi * cos - mr * sin;
    }
  }
}

function isSilence(left: Float32Array, right: Float32Array, count: number): boolean {
  for (let n = 0; n < count; n++) if (left[n] !== 0 || right[n] !== 0) return false;
  return true;
}

/** Returns the power of both channels in a bin. */
function powerOf(re: Float64Array, im: Float64Array, bin: number): number {
  const mirror = (re.length - bin) % re.length;
  return re[bin]! ** 2 + im[bin]! ** 2 + re[mirror]! ** 2 + im[mirror]! ** 2;
}

function around(power: Float64Array, bin: number): number {
  return power[Math.max(0, bin - 1)]! + power[bin]! + power[bin + 1]!;
}

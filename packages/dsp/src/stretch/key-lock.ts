import { SincKernel } from '../signal/sinc-kernel.ts';
import type { StereoReader } from '../signal/stereo-reader.ts';
import { bandGains } from './band-split.ts';
import { OnsetMap } from './onset-map.ts';
import { StretchBand } from './stretch-band.ts';

/**
 * Length of the longest frames: the bands use about 93, 46 and 23 ms.
 *
 * Long frames resolve the partials of a bass, short ones keep a hi-hat sharp.
 */
const LONGEST_SECONDS = 4096 / 44_100;
const EDGES = [
  { hz: 700, widthHz: 500 },
  { hz: 3_500, widthHz: 1_500 },
];
const STEPS = 3;
/** Stretched samples between two processing steps of a band after a start, when many steps are due at once. */
const STEP_SPACING = 32;
/** Largest read step through the stretched audio for which the buffers have space. */
const MOST_STEP = 8;

/** A band with the state of its current frame. */
interface BandWork {
  readonly band: StretchBand;
  /** Output time of the centre of the frame, in stretched samples. */
  centre: number;
  /** Number of processing steps already done for the frame. */
  step: number;
  /** Earliest stretched sample at which a step may run. */
  notBefore: number;
  /** Bins of the frame that keep the phases of the song. */
  stay: 'all' | 'onsets' | 'none';
  /** Number of the onset whose bins the band has analysed last; −1 before the first. */
  onset: number;
}

/**
 * Plays a song from memory with independent tempo and key.
 *
 * `song → three bands of a phase vocoder → stretched audio → resampled (the pitch) → output`
 *
 * Since any position of the song can be read at any time, each frame is centred on the position that plays at its
 * centre: there is no delay, and `position` is exact to the sample. Frames made ahead of a change of the rate (up to 70
 * ms) used the old rate; the frames after them are at their exact positions again.
 *
 * Allocates nothing in `reset` and `process`. The work of a frame is spread over the blocks before it plays.
 */
export class KeyLock {
  readonly #outputStep: number;
  readonly #works: readonly BandWork[];
  readonly #kernel = new SincKernel();
  readonly #size: number;
  readonly #mask: number;
  readonly #onsets = new OnsetMap();
  readonly #sumLeft: Float64Array;
  readonly #sumRight: Float64Array;
  readonly #readLeft: Float32Array;
  readonly #readRight: Float32Array;
  /**
   * Weights of the unprocessed audio that a start plays in place of the long frames not made, from {@link #reach}
   * before it on.
   */
  readonly #head: Float64Array;
  readonly #reach: number;
  #position = 0;
  /** Next stretched sample to be read, with its fraction. */
  #at = 0;
  /** Stretched samples before this one have been read. */
  #taken = 0;
  #startAt = 0;
  #startPosition = 0;
  #isPrimed = false;
  #drift = 1;

  /**
   * @param sampleRateHz rate of the output
   * @param options.sourceRateHz rate of the song, if different; `rate` is in samples of the song per sample of the
   *   output
   */
  constructor(sampleRateHz: number, options: { sourceRateHz?: number } = {}) {
    const sourceRateHz = options.sourceRateHz ?? sampleRateHz;
    this.#outputStep = sourceRateHz / sampleRateHz;
    const size = 2 ** Math.round(Math.log2(LONGEST_SECONDS * sourceRateHz));
    const sizes = [size, size / 2, size / 4];
    const gains = bandGains(sizes, EDGES, sourceRateHz);
    this.#works = sizes.map((length, index) => ({
      band: new StretchBand(length, gains[index] ?? new Float64Array(length / 2 + 1)),
      centre: 0,
      step: 0,
      notBefore: 0,
      stay: 'all',
      onset: -1,
    }));
    this.#size = size;
    this.#mask = 4 * size - 1;
    this.#sumLeft = new Float64Array(4 * size);
    this.#sumRight = new Float64Array(4 * size);
    this.#reach = SincKernel.reachAt(MOST_STEP);
    // An onset is analysed from one frame before it to three quarters of a frame after it.
    this.#readLeft = new Float32Array(1.75 * size);
    this.#readRight = new Float32Array(1.75 * size);
    this.#head = headWeights(size, this.#reach);
  }

  /** Position in the song of the next output sample, in samples of the song. */
  get position(): number {
    return this.#position;
  }

  /** Restarts at a position, as after a seek or a jump: the next output sample is the one at `position`. */
  reset(position: number): void {
    this.#position = position;
    this.#isPrimed = false;
    this.#onsets.reset();
  }

  /**
   * Renders the next samples.
   *
   * @param rate samples of the song for one of the output, up to 4; 0 holds the current spectrum, negative rates play
   *   backwards
   * @param semitones shift of the pitch, −24 to 24
   */
  process(
    reader: StereoReader,
    rate: number,
    semitones: number,
    left: Float32Array,
    right: Float32Array,
    frames: number,
  ): void {
    const step = 2 ** (semitones / 12) * this.#outputStep;
    this.#drift = rate / step;
    if (!this.#isPrimed) this.#prime(reader);
    const until = this.#at + (frames - 1) * step + SincKernel.reachAt(step);
    // End of the longest frame that begins in this block.
    const reach = until - this.#at + 1.25 * this.#size;
    this.#onsets.lookAhead(reader, this.#position, this.#at, this.#drift, reach);
    for (const work of this.#works) this.#advance(work, reader, until);
    if (step === 1 && Number.isInteger(this.#at)) this.#copy(left, right, frames);
    else this.#interpolate(step, left, right, frames);
    this.#position += frames * rate;
    this.#forget(Math.floor(this.#at) - this.#reach);
  }

  /**
   * Fills the start with the unprocessed song, which plays until the first frames are ready; they fade in as it fades
   * out.
   */
  #prime(reader: StereoReader): void {
    this.#sumLeft.fill(0);
    this.#sumRight.fill(0);
    const reach = this.#reach;
    this.#at = reach;
    this.#taken = 0;
    this.#startAt = reach;
    this.#startPosition = Math.round(this.#position);
    const { length } = this.#head;
    reader.read(this.#startPosition - reach, this.#readLeft, this.#readRight, length);
    for (let n = 0; n < length; n++) {
      const weight = this.#head[n]!;
      this.#sumLeft[n] = this.#readLeft[n]! * weight;
      this.#sumRight[n] = this.#readRight[n]! * weight;
    }
    for (const work of this.#works) {
      work.band.reset();
      work.centre = this.#startAt + (work.band.size === this.#size ? this.#size / 2 : 0);
      work.step = 0;
      work.notBefore = this.#startAt;
      work.onset = -1;
    }
    this.#isPrimed = true;
  }

  /** Runs the processing steps of the frames of a band that are due before stretched sample `until` is read. */
  #advance(work: BandWork, reader: StereoReader, until: number): void {
    const { band } = work;
    for (;;) {
      // A frame begins one hop before its first sample is needed, and each step is due a third of a hop later.
      const due = work.centre - band.size / 2 - band.hop * (1 - work.step / STEPS);
      if (Math.max(due, work.notBefore) >= until) return;
      if (work.step === 0) this.#take(work, reader);
      else if (work.step === 1) band.rotate(work.stay);
      else this.#add(work);
      work.step++;
      work.notBefore += STEP_SPACING;
      if (work.step === STEPS) {
        work.step = 0;
        work.centre += band.hop;
      }
    }
  }

  #take(work: BandWork, reader: StereoReader): void {
    const { band } = work;
    const position = this.#positionOf(work, reader);
    const count = band.size + band.hop;
    reader.read(position - band.size / 2 - band.hop, this.#readLeft, this.#readRight, count);
    band.take(position, this.#readLeft, this.#readRight);
  }

  /** Returns the position in the song on which a frame is centred, and sets which of its bins keep their phases. */
  #positionOf(work: BandWork, reader: StereoReader): number {
    const { band, centre } = work;
    if (centre <= this.#startAt + this.#size / 2) {
      work.stay = 'all';
      return this.#startPosition + centre - this.#startAt;
    }
    const half = band.size / 2;
    const onset = this.#onsets.near(centre, half);
    if (onset >= 0) {
      if (work.onset !== onset) this.#listen(work, onset, reader);
      work.stay = 'onsets';
      return this.#onsets.beside(onset, centre);
    }
    work.stay = 'none';
    const position = Math.round(this.#position + (centre - this.#at) * this.#drift);
    return this.#onsets.between(position, centre, half);
  }

  #listen(work: BandWork, onset: number, reader: StereoReader): void {
    const { size } = work.band;
    const from = this.#onsets.positionOf(onset) - size;
    reader.read(from, this.#readLeft, this.#readRight, 1.75 * size);
    work.band.listen(this.#readLeft, this.#readRight);
    work.onset = onset;
  }

  #add({ band, centre }: BandWork): void {
    if (!band.give(1)) return;
    const mask = this.#mask;
    const start = centre - band.size / 2;
    const from = Math.max(0, this.#taken - start);
    const head = band.size === this.#size ? 0 : this.#startAt - this.#reach + this.#head.length;
    for (let n = from; n < band.size; n++) {
      const sample = start + n;
      // The unprocessed start contains all bands.
      const weight = sample < head ? 1 - this.#head[sample - this.#startAt + this.#reach]! : 1;
      const at = sample & mask;
      this.#sumLeft[at] = this.#sumLeft[at]! + band.left[n]! * weight;
      this.#sumRight[at] = this.#sumRight[at]! + band.right[n]! * weight;
    }
  }

  #copy(left: Float32Array, right: Float32Array, frames: number): void {
    for (let n = 0; n < frames; n++) {
      const at = (this.#at + n) & this.#mask;
      left[n] = this.#sumLeft[at]!;
      right[n] = this.#sumRight[at]!;
    }
    this.#at += frames;
  }

  #interpolate(step: number, left: Float32Array, right: Float32Array, frames: number): void {
    const kernel = this.#kernel;
    const mask = this.#mask;
    for (let n = 0; n < frames; n++) {
      kernel.computeWeights(this.#at, step);
      let l = 0;
      let r = 0;
      for (let tap = 0; tap < kernel.count; tap++) {
        const at = (kernel.first + tap) & mask;
        const weight = kernel.weights[tap]!;
        l += this.#sumLeft[at]! * weight;
        r += this.#sumRight[at]! * weight;
      }
      left[n] = l;
      right[n] = r;
      this.#at += step;
    }
  }

  /** Clears the samples that no read can reach any more, for the next frames. */
  #forget(before: number): void {
    for (let sample = this.#taken; sample < before; sample++) {
      this.#sumLeft[sample & this.#mask] = 0;
      this.#sumRight[sample & this.#mask] = 0;
    }
    this.#taken = Math.max(this.#taken, before);
  }
}

/** Returns the summed weight of the long frames centred up to one hop after a start, which are not made. */
function headWeights(size: number, reach: number): Float64Array {
  const hop = size / 4;
  return Float64Array.from({ length: reach + size / 2 + hop }, (_, index) => {
    let missing = 0;
    for (let centre = 2 * hop; centre <= 5 * hop; centre += hop) {
      const distance = index - reach - centre;
      if (Math.abs(distance) < size / 2)
        missing += (0.5 + 0.5 * Math.cos((2 * Math.PI * distance) / size)) ** 2;
    }
    return 1 - missing / 1.5;
  });
}

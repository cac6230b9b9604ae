import { ThreeBandCrossover } from '@stem-studio/dsp/filter/crossover';
import type { ChunkedSource } from './chunked-source.ts';

/** Frames that are split at once. */
const BLOCK = 256;
const BLOCK_SHIFT = 8;
/** Blocks are kept in sets by their number; a set keeps the most recently read ones. */
const SETS = 64;
const WAYS = 4;
const SLOTS = SETS * WAYS;
/** Bands of both audio channels. */
const LINES = 6;
/** Time in which the filters settle below −100 dB: a position that is read without the ones before it is as exact. */
const SETTLE_SECONDS = 0.05;

/** Bands of a stereo signal, left and right. */
export type BandSamples = readonly [
  lowLeft: Float32Array,
  lowRight: Float32Array,
  midLeft: Float32Array,
  midRight: Float32Array,
  highLeft: Float32Array,
  highRight: Float32Array,
];

/** Creates buffers for the bands of `frames` frames. */
export function createBandSamples(frames: number): BandSamples {
  const line = () => new Float32Array(frames);
  return [line(), line(), line(), line(), line(), line()];
}

/**
 * The bands of a source at any position. Key lock and loops read a source out of order, which filters cannot do: so
 * the bands are computed block by block, continued from the block before where that is known, and the last 1.5 s are
 * kept. Gains apply where the bands are read, thus a change of the equaliser is audible at once. Allocates nothing in
 * use.
 */
export class BandCache {
  readonly #source: ChunkedSource;
  readonly #splits: readonly [ThreeBandCrossover, ThreeBandCrossover];
  readonly #settleBlocks: number;
  /** Number of the block in each slot; −1 for none. */
  readonly #blocks = new Int32Array(SLOTS).fill(-1);
  /** When each slot was last read. */
  readonly #usedAt = new Float64Array(SLOTS);
  readonly #samples = new Float32Array(SLOTS * LINES * BLOCK);
  /** States of the filters at the end of each block. */
  readonly #states: Float64Array;
  readonly #left = new Float32Array(BLOCK);
  readonly #right = new Float32Array(BLOCK);
  readonly #low = new Float64Array(BLOCK);
  readonly #mid = new Float64Array(BLOCK);
  readonly #high = new Float64Array(BLOCK);
  #reads = 0;

  constructor(source: ChunkedSource, sampleRateHz: number) {
    this.#source = source;
    this.#splits = [new ThreeBandCrossover(sampleRateHz), new ThreeBandCrossover(sampleRateHz)];
    this.#settleBlocks = Math.ceil((SETTLE_SECONDS * sampleRateHz) / BLOCK);
    this.#states = new Float64Array(SLOTS * 2 * this.#splits[0].stateSize);
  }

  /** Writes the bands of frames `from` to `from + frames` of the source; silence before its start. */
  read(from: number, frames: number, into: BandSamples): void {
    const skipped = Math.min(frames, Math.max(0, -from));
    for (let line = 0; line < LINES; line++) into[line]!.fill(0, 0, skipped);
    for (let done = skipped; done < frames; ) {
      const frame = from + done;
      const offset = frame & (BLOCK - 1);
      const count = Math.min(BLOCK - offset, frames - done);
      const slot = this.#slotOf(frame >> BLOCK_SHIFT);
      for (let line = 0; line < LINES; line++) {
        const samples = into[line]!;
        const at = (slot * LINES + line) * BLOCK + offset;
        for (let n = 0; n < count; n++) samples[done + n] = this.#samples[at + n]!;
      }
      done += count;
    }
  }

  /**
   * Adds frames `from` to `from + frames`, with a gain for each band, to `left` and `right` from `at` on.
   *
   * @param leftGain linear gain of the left channel after the bands
   */
  addTo(
    left: Float32Array,
    right: Float32Array,
    at: number,
    from: number,
    frames: number,
    low: number,
    mid: number,
    high: number,
    leftGain: number,
    rightGain: number,
  ): void {
    const samples = this.#samples;
    for (let done = Math.min(frames, Math.max(0, -from)); done < frames; ) {
      const frame = from + done;
      const offset = frame & (BLOCK - 1);
      const count = Math.min(BLOCK - offset, frames - done);
      let line = this.#slotOf(frame >> BLOCK_SHIFT) * LINES * BLOCK + offset;
      for (let out = at + done; out < at + done + count; out++, line++) {
        const leftSum =
          low * samples[line]! + mid * samples[line + 2 * BLOCK]! + high * samples[line + 4 * BLOCK]!;
        const rightSum =
          low * samples[line + BLOCK]! + mid * samples[line + 3 * BLOCK]! + high * samples[line + 5 * BLOCK]!;
        left[out]! += leftGain * leftSum;
        right[out]! += rightGain * rightSum;
      }
      done += count;
    }
  }

  /** Discards the bands of frames `from` to `to` (excluded), whose samples have changed. */
  discard(from: number, to: number): void {
    for (let slot = 0; slot < SLOTS; slot++) {
      const start = this.#blocks[slot]! * BLOCK;
      if (start + BLOCK > from && start < to) this.#blocks[slot] = -1;
    }
  }

  /** Returns the slot of a block, which is computed if it is in none. */
  #slotOf(block: number): number {
    const known = this.#find(block);
    const slot = known < 0 ? this.#oldest(block) : known;
    this.#usedAt[slot] = ++this.#reads;
    if (known >= 0) return slot;
    const before = this.#find(block - 1);
    if (before >= 0) {
      this.#restore(before);
    } else {
      this.#splits[0].reset();
      this.#splits[1].reset();
      for (let warm = Math.max(0, block - this.#settleBlocks); warm < block; warm++) this.#split(warm, -1);
    }
    this.#split(block, slot);
    this.#blocks[slot] = block;
    return slot;
  }

  /** Returns the slot that has a block, or −1. */
  #find(block: number): number {
    if (block < 0) return -1;
    const first = (block % SETS) * WAYS;
    for (let slot = first; slot < first + WAYS; slot++) if (this.#blocks[slot] === block) return slot;
    return -1;
  }

  #oldest(block: number): number {
    const first = (block % SETS) * WAYS;
    let oldest = first;
    for (let slot = first + 1; slot < first + WAYS; slot++)
      if (this.#usedAt[slot]! < this.#usedAt[oldest]!) oldest = slot;
    return oldest;
  }

  #restore(slot: number): void {
    const size = this.#splits[0].stateSize;
    this.#splits[0].restore(this.#states, 2 * slot * size);
    this.#splits[1].restore(this.#states, (2 * slot + 1) * size);
  }

  /** Splits a block, into a slot unless that is −1. */
  #split(block: number, slot: number): void {
    this.#left.fill(0);
    this.#right.fill(0);
    this.#source.addTo(this.#left, this.#right, 0, block * BLOCK, BLOCK, 1, 1);
    this.#splitChannel(0, this.#left, slot);
    this.#splitChannel(1, this.#right, slot);
  }

  #splitChannel(channel: 0 | 1, samples: Float32Array, slot: number): void {
    const split = this.#splits[channel];
    split.process(samples, 0, BLOCK, this.#low, this.#mid, this.#high);
    if (slot < 0) return;
    this.#store(this.#low, slot * LINES + channel);
    this.#store(this.#mid, slot * LINES + 2 + channel);
    this.#store(this.#high, slot * LINES + 4 + channel);
    split.save(this.#states, (2 * slot + channel) * split.stateSize);
  }

  #store(band: Float64Array, line: number): void {
    for (let n = 0; n < BLOCK; n++) this.#samples[line * BLOCK + n] = band[n]!;
  }
}

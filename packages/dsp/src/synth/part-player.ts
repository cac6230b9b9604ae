import type { Insert } from './effect/insert.ts';
import type { Part, PartEvent } from './sequence/arrangement.ts';
import type { StereoSamples } from './stereo-samples.ts';

interface Sounding {
  readonly samples: StereoSamples;
  readonly start: number;
  readonly leftGain: number;
  readonly rightGain: number;
}

/**
 * Renders one part block by block. Each sound is rendered at its start and released at its end, so that memory use
 * depends on the polyphony and not on the length of the song.
 */
export class PartPlayer {
  readonly left: Float32Array;
  readonly right: Float32Array;
  /** Whether the last block may contain audio. */
  isSounding = false;
  readonly #waiting: PartEvent[];
  readonly #inserts: Insert[];
  readonly #gain: number;
  #sounding: Sounding[] = [];
  #next = 0;
  #silentFor = 0;

  constructor(part: Part, blockSize: number) {
    this.left = new Float32Array(blockSize);
    this.right = new Float32Array(blockSize);
    this.#waiting = part.events.toSorted((one, other) => one.start - other.start);
    this.#inserts = part.createInserts();
    this.#gain = 10 ** (part.gainDb / 20);
  }

  /** Renders `count` samples from `startSample` on into `left` and `right`. */
  render(startSample: number, count: number): void {
    const end = startSample + count;
    while (this.#next < this.#waiting.length && this.#waiting[this.#next]!.start < end) {
      this.#sounding.push(begin(this.#waiting[this.#next]!, this.#gain));
      this.#next++;
    }
    // An insert such as a chorus or a filter may ring briefly after its input has ended.
    this.#silentFor = this.#sounding.length > 0 ? 0 : this.#silentFor + count;
    this.isSounding = this.#silentFor < 8192;
    if (!this.isSounding) return;
    this.left.fill(0, 0, count);
    this.right.fill(0, 0, count);
    for (const sounding of this.#sounding) this.#add(sounding, startSample, count);
    this.#sounding = this.#sounding.filter(({ samples, start }) => start + samples.left.length > end);
    for (const insert of this.#inserts) insert.process(this.left, this.right, count, startSample);
  }

  #add({ samples, start, leftGain, rightGain }: Sounding, startSample: number, count: number): void {
    const from = Math.max(0, start - startSample);
    const to = Math.min(count, start + samples.left.length - startSample);
    const shift = startSample - start;
    for (let index = from; index < to; index++) {
      this.left[index]! += leftGain * samples.left[index + shift]!;
      this.right[index]! += rightGain * samples.right[index + shift]!;
    }
  }
}

/** Starts a sound with equal-power panning: −3 dB per side in the centre, normalised to 0 dB there. */
function begin(placed: PartEvent, gain: number): Sounding {
  const angle = ((placed.pan + 1) * Math.PI) / 4;
  const level = placed.gain * gain * Math.SQRT2;
  return {
    samples: placed.render(),
    start: placed.start,
    leftGain: level * Math.cos(angle),
    rightGain: level * Math.sin(angle),
  };
}

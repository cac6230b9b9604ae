import type { EngineDeck } from './engine-deck.ts';

const ONE_HZ = 1760;
const OTHER_HZ = 1175;
/** Audible over full music, and short enough to mark a moment. */
const PEAK = 0.5;
const DECAY_SECONDS = 0.035;

/** Sample-accurate clicks on the beats of a deck, with a higher tone on downbeats. Allocates nothing in `process`. */
export class ClickTrack {
  readonly #one: Float32Array;
  readonly #other: Float32Array;
  #click: Float32Array;
  #at: number;

  constructor(sampleRateHz: number) {
    this.#one = clickOf(ONE_HZ, PEAK, sampleRateHz);
    this.#other = clickOf(OTHER_HZ, 0.7 * PEAK, sampleRateHz);
    this.#click = this.#one;
    this.#at = this.#one.length;
  }

  /** Writes the clicks of the block that `leader` has just rendered; null lets the last click end. */
  process(leader: EngineDeck | null, sampleRateHz: number, into: Float32Array, frames: number): void {
    into.fill(0, 0, frames);
    let comparable = 0;
    if (leader && leader.isSteady && leader.blockStep > 0) {
      const { blockFrame, blockStep } = leader;
      const end = leader.position.loop?.endFrame ?? Number.POSITIVE_INFINITY;
      const untilEnd = blockFrame < end ? (end - blockFrame) / blockStep : Number.POSITIVE_INFINITY;
      comparable = this.#beats(leader, sampleRateHz, blockFrame, 0, Math.min(frames, untilEnd), into, 0);
      if (untilEnd < frames) {
        const start = leader.position.loop?.startFrame ?? 0;
        comparable = this.#beats(leader, sampleRateHz, start, untilEnd, frames, into, comparable);
      }
    }
    this.#write(into, comparable, frames);
  }

  /**
   * Writes the clicks of samples `from` to `to`, where `from` plays `frame` of the song. Returns the sample up to which
   * it has written.
   */
  #beats(
    leader: EngineDeck,
    sampleRateHz: number,
    frame: number,
    from: number,
    to: number,
    into: Float32Array,
    comparable: number,
  ): number {
    const { blockStep, position } = leader;
    const { grid } = position;
    let done = comparable;
    for (let beat = grid.nextBeat(frame / sampleRateHz); beat < grid.count; beat++) {
      const at = from + (grid.secondsAt(beat) * sampleRateHz - frame) / blockStep;
      if (at >= to) break;
      const sample = Math.min(into.length, Math.max(done, Math.floor(at)));
      this.#write(into, done, sample);
      done = sample;
      this.#click = grid.isDownbeat(beat) ? this.#one : this.#other;
      this.#at = 0;
    }
    return done;
  }

  #write(into: Float32Array, from: number, to: number): void {
    const count = Math.min(to - from, this.#click.length - this.#at);
    for (let n = 0; n < count; n++) into[from + n] = this.#click[this.#at + n]!;
    if (count > 0) this.#at += count;
  }
}

function clickOf(hz: number, peak: number, sampleRateHz: number): Float32Array {
  const frames = Math.round(DECAY_SECONDS * sampleRateHz);
  const fall = Math.log(500) / frames;
  // The last millisecond fades out.
  const end = sampleRateHz / 1000;
  return Float32Array.from({ length: frames }, (_, n) => {
    const tone = Math.sin((2 * Math.PI * hz * n) / sampleRateHz);
    return peak * tone * Math.exp(-fall * n) * Math.min(1, (frames - n) / end);
  });
}

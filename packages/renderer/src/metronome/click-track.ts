import type { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import { createClick } from './click-samples.ts';

/** Playback whose beats are clicked; frames are those of the song. */
export interface ClickLeader {
  /** Whether it plays at the motor's speed. */
  readonly isSteady: boolean;
  /** Position at the start of the block that was rendered last. */
  readonly blockFrame: number;
  /** Frames of the song per output sample in that block. */
  readonly blockStep: number;
  readonly position: {
    readonly grid: BeatLookup;
    /** The active loop, or null. */
    readonly loop: { readonly startFrame: number; readonly endFrame: number } | null;
  };
}

/** Sample-accurate clicks on the beats of a song, with a higher tone on downbeats. Allocates nothing in `process`. */
export class ClickTrack {
  readonly #downbeat: Float32Array;
  readonly #beat: Float32Array;
  #click: Float32Array;
  #at: number;

  constructor(sampleRateHz: number) {
    this.#downbeat = createClick(true, sampleRateHz);
    this.#beat = createClick(false, sampleRateHz);
    this.#click = this.#downbeat;
    this.#at = this.#downbeat.length;
  }

  /** Writes the clicks of the block that `leader` has just rendered; null lets the last click end. */
  process(leader: ClickLeader | null, sampleRateHz: number, into: Float32Array, frames: number): void {
    into.fill(0, 0, frames);
    let written = 0;
    if (leader && leader.isSteady && leader.blockStep > 0) {
      const { blockFrame, blockStep } = leader;
      const end = leader.position.loop?.endFrame ?? Number.POSITIVE_INFINITY;
      const untilEnd = blockFrame < end ? (end - blockFrame) / blockStep : Number.POSITIVE_INFINITY;
      written = this.#beats(leader, sampleRateHz, blockFrame, 0, Math.min(frames, untilEnd), into, 0);
      if (untilEnd < frames) {
        const start = leader.position.loop?.startFrame ?? 0;
        written = this.#beats(leader, sampleRateHz, start, untilEnd, frames, into, written);
      }
    }
    this.#write(into, written, frames);
  }

  /** Starts a click at sample `at` of a block after {@link process}, in place of what follows there. */
  click(isDownbeat: boolean, into: Float32Array, at: number, frames: number): void {
    into.fill(0, at, frames);
    this.#click = isDownbeat ? this.#downbeat : this.#beat;
    this.#at = 0;
    this.#write(into, at, frames);
  }

  /**
   * Writes the clicks of samples `from` to `to`, where `from` plays `frame` of the song. Returns the sample up to which
   * it has written.
   */
  #beats(
    leader: ClickLeader,
    sampleRateHz: number,
    frame: number,
    from: number,
    to: number,
    into: Float32Array,
    written: number,
  ): number {
    const { blockStep, position } = leader;
    const { grid } = position;
    let done = written;
    for (let beat = grid.nextBeat(frame / sampleRateHz); beat < grid.count; beat++) {
      const at = from + (grid.secondsAt(beat) * sampleRateHz - frame) / blockStep;
      if (at >= to) break;
      const sample = Math.min(into.length, Math.max(done, Math.floor(at)));
      this.#write(into, done, sample);
      done = sample;
      this.#click = grid.isDownbeat(beat) ? this.#downbeat : this.#beat;
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

import { Varispeed } from '@stem-studio/dsp/signal/varispeed';
import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import type { FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { type DeckVoices, SHORTEST_LOOP_FRAMES } from '../sources/source-group.ts';
import { Splice } from './cut-crossfade.ts';
import { LoopReader } from './loop-reader.ts';

/** Samples that are made at once. */
export const BLOCK_FRAMES = 128;
/** Steps beyond this are taken for it: what varispeed keeps from folding. */
const MOST_STEP = 8;
/** Key lock reads so much of the song ahead of what sounds. */
const LOCK_AHEAD_SECONDS = 0.2;
const VARISPEED_AHEAD_FRAMES = 256;

/** Slower than this, in frames of the song for a sample of output, a fader that moves would be audible as steps. */
const SLOW_STEP = 0.1;

/** Settings of a playback that do not change. */
export interface SourcePlaybackOptions {
  /** Sample rates for which key locks are created at once: creating one takes longer than a block may take. */
  keyLockRatesHz?: readonly number[];
  /** Length of the crossfade at a loop boundary, in seconds. */
  seamSeconds?: number;
}

/** How a block is to sound. */
export interface Motion {
  /** Whether anything sounds; the place moves on by `step` in any case. */
  isSounding: boolean;
  /** Whether tempo and pitch go apart. */
  isLocked: boolean;
  /** Frames of the song for a sample of output. */
  step: number;
  /** By which the pitch is moved, where it is locked. */
  semitones: number;
}

/**
 * A deck's sound from a place on: `voices → loop laid out → varispeed | key lock → splice`.
 *
 * Where the sound is cut (a jump, a stop, another way of playing, other voices), what would have followed goes on for
 * 5 ms and fades out. At the recorded tempo the song leaves sample for sample. Allocates nothing in `process`.
 */
export class DeckSound {
  readonly #outputRateHz: number;
  readonly #seamSeconds: number;
  readonly #reader = new LoopReader();
  readonly #varispeed = new Varispeed();
  readonly #locks = new Map<number, KeyLock>();
  readonly #splice: Splice;
  readonly #tailLeft: Float32Array;
  readonly #tailRight: Float32Array;
  /** The tail block by block. */
  readonly #tailBlocks: readonly (readonly [Float32Array, Float32Array])[];
  readonly #last: Motion = { isSounding: false, isLocked: false, step: 1, semitones: 0 };
  #voices: DeckVoices | null = null;
  #lock: KeyLock;
  /** Place on the line of the loop: the place in the song and the rounds that were gone. */
  #line = 0;

  constructor(
    outputRateHz: number,
    { keyLockRatesHz = [], seamSeconds = FADE_SECONDS }: SourcePlaybackOptions = {},
  ) {
    this.#outputRateHz = outputRateHz;
    this.#seamSeconds = seamSeconds;
    this.#splice = new Splice(Math.floor(FADE_SECONDS * outputRateHz));
    const blocks = Math.ceil(this.#splice.frames / BLOCK_FRAMES);
    this.#tailLeft = new Float32Array(blocks * BLOCK_FRAMES);
    this.#tailRight = new Float32Array(blocks * BLOCK_FRAMES);
    this.#tailBlocks = Array.from({ length: blocks }, (_, block) => {
      const at = block * BLOCK_FRAMES;
      return [
        this.#tailLeft.subarray(at, at + BLOCK_FRAMES),
        this.#tailRight.subarray(at, at + BLOCK_FRAMES),
      ] as const;
    });
    for (const rateHz of keyLockRatesHz) this.#lockFor(rateHz);
    this.#lock = this.#lockFor(outputRateHz);
  }

  /** Where it stands, in frames of the song. */
  get frame(): number {
    return this.#line - this.#reader.path.shift;
  }

  /** Whether anything sounds, or the end of it. */
  get isAudible(): boolean {
    return this.#last.isSounding || !this.#splice.isDone;
  }

  /** Whether it would go round at the loop's end. */
  get isLooping(): boolean {
    return this.#reader.path.isOn;
  }

  /** Plays other voices from now on; the place stays. */
  setVoices(voices: DeckVoices | null): void {
    this.cut();
    this.#voices = voices;
    const rateHz = voices?.sampleRateHz ?? this.#outputRateHz;
    this.#reader.setVoices(voices, Math.floor(this.#seamSeconds * rateHz));
    this.#lock = this.#lockFor(rateHz);
  }

  /**
   * Moves the faders of a group of sources. A leap, as of a mute button, is a cut under key lock, which has read ahead by a
   * tenth of a second: it would be audible that much later. So is any move while the song hardly moves.
   */
  setGains(voices: DeckVoices, gains: readonly number[]): void {
    const isAudible = voices === this.#voices && this.isAudible;
    const { isLocked, step } = this.#last;
    const isCut = isAudible && (isLocked ? voices.isLeap(gains) : Math.abs(step) < SLOW_STEP);
    if (isCut) this.cut();
    voices.setGains(gains, !isAudible || isCut);
  }

  /** Goes to a place, the whole frame nearest to `frame`. */
  jump(frame: number): void {
    this.cut();
    this.#line = Math.round(frame);
    this.#reader.path.straighten();
    this.#engage();
  }

  /**
   * Loops from now on, or goes straight on. A loop behind the place is not entered until the place is before its end; one
   * that takes the place of the loop that sounds takes the sound with it.
   */
  setLoop(loop: FrameLoop | null): void {
    const { path } = this.#reader;
    const wasIn = path.isOn && this.frame >= path.start;
    const limit = this.#voices?.frames ?? 0;
    const start = Math.max(0, loop?.startFrame ?? 0);
    const end = Math.min(limit, loop?.endFrame ?? 0);
    if (start === path.start && end === path.end) return;
    const { frame } = this;
    const isLoop = end - start >= SHORTEST_LOOP_FRAMES;
    const isTaken = isLoop && wasIn && (frame < start || frame >= end);
    // What is left goes on by the loop that it was in. Near an edge some of the other side sounds already.
    if (isTaken || this.#isNearEdge() || Math.abs(end - frame) < VARISPEED_AHEAD_FRAMES) this.cut();
    path.set(start, isLoop ? end : start);
    if (isTaken) this.jump(start + modulo(frame - start, path.length));
    else this.#engage();
  }

  /** Keeps the place within the song. Answers whether it was beyond. */
  clamp(): boolean {
    const { frame } = this;
    const held = Math.min(this.#voices?.frames ?? 0, Math.max(0, frame));
    this.#line += held - frame;
    return held !== frame;
  }

  /** Takes the end of what sounds, before anything of it changes. What follows fades in. */
  cut(): void {
    if (!this.#last.isSounding) return;
    const line = this.#line;
    for (let block = 0; block < this.#tailBlocks.length; block++) {
      const [left, right] = this.#tailBlocks[block]!;
      this.#render(left, right, BLOCK_FRAMES, this.#last.step, block * BLOCK_FRAMES);
    }
    this.#splice.leave(this.#tailLeft, this.#tailRight);
    this.#line = line;
    this.#last.isSounding = false;
  }

  /** Whether what sounds in the next `seconds` at `step` is here. */
  isReady(step: number, isLocked: boolean, seconds: number): boolean {
    if (!this.#voices) return false;
    const ahead = isLocked ? LOCK_AHEAD_SECONDS : 0;
    const reach = (seconds + ahead + FADE_SECONDS) * this.#outputRateHz * step;
    const margin = isLocked ? 0 : VARISPEED_AHEAD_FRAMES;
    const from = Math.floor(this.#line + Math.min(0, reach)) - (step < 0 ? margin : 0);
    const to = Math.ceil(this.#line + Math.max(0, reach)) + (step >= 0 ? margin : 0);
    return this.#reader.isLoaded(from, to);
  }

  /** Makes the next samples, at most {@link BLOCK_FRAMES}. */
  process(left: Float32Array, right: Float32Array, frames: number, motion: Motion): void {
    const last = this.#last;
    const step = Math.min(MOST_STEP, Math.max(-MOST_STEP, motion.step));
    const isBetween = step === 1 && !motion.isLocked && !Number.isInteger(this.#line);
    if (!motion.isSounding || motion.isLocked !== last.isLocked || isBetween) this.cut();
    if (motion.isSounding && !last.isSounding) {
      // Whole steps read the samples as they are stored: from a whole place on.
      if (isBetween) this.#line = Math.round(this.frame) + Math.round(this.#reader.path.shift);
      this.#lock.reset(this.#line);
      this.#splice.enter();
      last.step = step;
    }
    last.isSounding = motion.isSounding;
    last.isLocked = motion.isLocked;
    last.semitones = motion.semitones;
    if (motion.isSounding) {
      this.#voices?.measure(Math.round(this.frame), Math.ceil(Math.abs(step) * frames));
      this.#render(left, right, frames, step, 0);
    } else {
      left.fill(0, 0, frames);
      right.fill(0, 0, frames);
      this.#line += step * frames;
    }
    this.#voices?.pass(frames);
    this.#splice.process(left, right, frames, motion.isSounding);
    last.step = step;
    this.#turn(step);
  }

  /** Leaves the next samples, from the last step on to `step`, and moves on. */
  #render(left: Float32Array, right: Float32Array, frames: number, step: number, ahead: number): void {
    const { isLocked, semitones, step: from } = this.#last;
    const mean = (from + step) / 2;
    if (isLocked) {
      this.#reader.aim(0, 0, ahead);
      this.#lock.process(this.#reader, mean, semitones, left, right, frames);
      this.#line += mean * frames;
      return;
    }
    const pace = Math.abs(mean) < 0.05 ? 0 : 1 / mean;
    this.#reader.aim(this.#line, pace, ahead);
    this.#line = this.#varispeed.process(this.#reader, this.#line, from, step, left, right, frames);
  }

  /** Counts the rounds that were gone, forwards or backwards. */
  #turn(step: number): void {
    const { path } = this.#reader;
    if (!path.isOn) this.#engage();
    if (!path.isOn) return;
    while (this.frame >= path.end) {
      path.shift += path.length;
      path.hasTurned = true;
    }
    if (step >= 0 || this.frame >= path.start) return;
    if (path.hasTurned) while (this.frame < path.start) path.shift -= path.length;
    else if (this.frame - step * BLOCK_FRAMES >= path.start) this.#turnBack();
  }

  /** Out of a loop's beginning into its end, for the first time. */
  #turnBack(): void {
    const { path } = this.#reader;
    const place = path.start + modulo(this.frame - path.start, path.length);
    this.cut();
    this.#line = place;
    path.shift = 0;
    path.hasTurned = true;
  }

  /** Whether it has just come round its loop, or is just about to. */
  #isNearEdge(): boolean {
    const { path } = this.#reader;
    path.find(Math.floor(this.#line));
    if (this.#line < path.seamEnd + VARISPEED_AHEAD_FRAMES) return true;
    return path.isOn && path.end - this.frame < VARISPEED_AHEAD_FRAMES;
  }

  #engage(): void {
    const { path } = this.#reader;
    path.isOn = path.end > path.start && this.frame < path.end;
  }

  #lockFor(sampleRateHz: number): KeyLock {
    let lock = this.#locks.get(sampleRateHz);
    if (!lock) {
      lock = new KeyLock(this.#outputRateHz, { sourceRateHz: sampleRateHz });
      this.#locks.set(sampleRateHz, lock);
    }
    return lock;
  }
}

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}

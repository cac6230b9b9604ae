import { Varispeed } from '@stem-studio/dsp/signal/varispeed';
import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import type { FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { SHORTEST_LOOP_FRAMES, type SourceGroup } from '../sources/source-group.ts';
import type { StemTone } from '../stem-mixer/stem-mixer-messages.ts';
import { CutCrossfade } from './cut-crossfade.ts';
import { LoopReader } from './loop-reader.ts';

/** Frames rendered per block. Rendering several blocks in one call gives the same samples as in several calls. */
export const BLOCK_FRAMES = 128;
/** Largest step in frames per sample: varispeed suppresses aliasing up to it. */
const MAX_STEP = 8;
/** Audio that key lock reads ahead of the output. */
const LOCK_AHEAD_SECONDS = 0.2;
const VARISPEED_AHEAD_FRAMES = 256;
/** Length of the crossfade between two separations of a song, in seconds: even a bass that one lacks has no corner. */
const SWITCH_SECONDS = 0.02;

/** Slower than this, in frames of the song for a sample of output, a fader that moves would be audible as steps. */
const SLOW_STEP = 0.1;

/** Settings of a playback that do not change. */
export interface SourcePlaybackOptions {
  /** Sample rates for which key locks are created in the constructor: creating one takes longer than a block lasts. */
  keyLockRatesHz?: readonly number[];
  /** Length of the crossfade at a loop boundary, in seconds. */
  seamSeconds?: number;
}

/** Parameters of a block. */
export interface Motion {
  /** Whether audio is rendered; the position advances by `step` in any case. */
  isPlaying: boolean;
  /** Whether tempo and pitch are independent. */
  isKeyLocked: boolean;
  /** Frames of the song per output sample. */
  step: number;
  /** Pitch shift under key lock. */
  semitones: number;
}

/**
 * Plays a group of sources from a position: `sources → unrolled loop → varispeed | key lock → crossfade at cuts`.
 *
 * At a cut (a jump, a stop, another mode, other sources) the audio that would have followed continues for 5 ms and
 * fades out. At the recorded tempo and sample rate samples pass unchanged. Allocates nothing in `process`.
 */
export class SourcePlayback {
  readonly #outputRateHz: number;
  readonly #seamSeconds: number;
  readonly #reader = new LoopReader();
  readonly #varispeed = new Varispeed();
  readonly #keyLocks = new Map<number, KeyLock>();
  readonly #cutFade: CutCrossfade;
  readonly #switchFade: CutCrossfade;
  /** Crossfade by which the next audio fades in. */
  #entryFade: CutCrossfade;
  readonly #tailLeft: Float32Array;
  readonly #tailRight: Float32Array;
  /** Views on the fade-out, one per block. */
  readonly #tailBlocks: readonly (readonly [Float32Array, Float32Array])[];
  readonly #last: Motion = { isPlaying: false, isKeyLocked: false, step: 1, semitones: 0 };
  #sources: SourceGroup | null = null;
  #keyLock: KeyLock;
  /** Position on the unrolled loop: the position in the song plus all rounds played. */
  #line = 0;

  constructor(
    outputRateHz: number,
    { keyLockRatesHz = [], seamSeconds = FADE_SECONDS }: SourcePlaybackOptions = {},
  ) {
    this.#outputRateHz = outputRateHz;
    this.#seamSeconds = seamSeconds;
    this.#cutFade = new CutCrossfade(Math.floor(FADE_SECONDS * outputRateHz));
    this.#switchFade = new CutCrossfade(Math.floor(SWITCH_SECONDS * outputRateHz));
    this.#entryFade = this.#cutFade;
    const blocks = Math.ceil(Math.max(this.#cutFade.frames, this.#switchFade.frames) / BLOCK_FRAMES);
    this.#tailLeft = new Float32Array(blocks * BLOCK_FRAMES);
    this.#tailRight = new Float32Array(blocks * BLOCK_FRAMES);
    this.#tailBlocks = Array.from({ length: blocks }, (_, block) => {
      const at = block * BLOCK_FRAMES;
      return [
        this.#tailLeft.subarray(at, at + BLOCK_FRAMES),
        this.#tailRight.subarray(at, at + BLOCK_FRAMES),
      ] as const;
    });
    for (const rateHz of keyLockRatesHz) this.#keyLockFor(rateHz);
    this.#keyLock = this.#keyLockFor(outputRateHz);
  }

  /** Position in frames of the song. */
  get frame(): number {
    return this.#line - this.#reader.path.shift;
  }

  /** Whether audio is rendered or fades out. */
  get isAudible(): boolean {
    return this.#last.isPlaying || !this.#cutFade.isDone || !this.#switchFade.isDone;
  }

  /** Whether playback would wrap at the end of the loop. */
  get isLooping(): boolean {
    return this.#reader.path.isOn;
  }

  /** Sets the sources; the position stays. */
  setSources(sources: SourceGroup | null): void {
    this.cut();
    this.#replaceSources(sources);
  }

  /**
   * Replaces the sources by others of the same song and sample rate. The position stays, and both crossfade for 20 ms
   * with gains that add up to 1.
   */
  switchSources(sources: SourceGroup): void {
    this.#leave(this.#switchFade);
    this.#replaceSources(sources);
  }

  /** Whether {@link switchSources} would be seamless: `seconds` of the other sources are loaded, and no cut is audible. */
  canSwitch(sources: SourceGroup, step: number, isKeyLocked: boolean, seconds: number): boolean {
    if (!this.#last.isPlaying) return true;
    return this.#cutFade.isDone && this.#isLoaded(sources, step, isKeyLocked, seconds);
  }

  #replaceSources(sources: SourceGroup | null): void {
    this.#sources = sources;
    const rateHz = sources?.sampleRateHz ?? this.#outputRateHz;
    this.#reader.setSources(sources, Math.floor(this.#seamSeconds * rateHz));
    this.#keyLock = this.#keyLockFor(rateHz);
  }

  /**
   * Sets the faders of a group, with pan and equaliser where given. Under key lock, which reads ahead by a tenth of a second, a large change such as a
   * mute is a cut: otherwise it would be audible that much later. So is any change while the platter hardly turns.
   */
  setGains(sources: SourceGroup, gains: readonly number[], tones?: readonly StemTone[]): void {
    const isAudible = sources === this.#sources && this.isAudible;
    const { isKeyLocked, step } = this.#last;
    const isCut = isAudible && (isKeyLocked ? sources.isLeap(gains, tones) : Math.abs(step) < SLOW_STEP);
    if (isCut) this.cut();
    sources.setGains(gains, !isAudible || isCut, tones);
  }

  /** Moves to the whole frame nearest to `frame`. */
  jump(frame: number): void {
    this.cut();
    this.#line = Math.round(frame);
    this.#reader.path.reset();
    this.#enterLoop();
  }

  /**
   * Sets the loop, or ends it with null. A loop that ends before the position is not entered; one that replaces the
   * active loop moves playback into it.
   */
  setLoop(loop: FrameLoop | null): void {
    const { path } = this.#reader;
    const wasIn = path.isOn && this.frame >= path.start;
    const limit = this.#sources?.frames ?? 0;
    const start = Math.max(0, loop?.startFrame ?? 0);
    const end = Math.min(limit, loop?.endFrame ?? 0);
    if (start === path.start && end === path.end) return;
    const { frame } = this;
    const isLoop = end - start >= SHORTEST_LOOP_FRAMES;
    const isTaken = isLoop && wasIn && (frame < start || frame >= end);
    // The fade-out continues in the previous loop. Near a boundary the interpolation has read beyond it already.
    if (isTaken || this.#isNearEdge() || Math.abs(end - frame) < VARISPEED_AHEAD_FRAMES) this.cut();
    path.set(start, isLoop ? end : start);
    if (isTaken) this.jump(start + modulo(frame - start, path.length));
    else this.#enterLoop();
  }

  /** Clamps the position to the song. Returns whether it was outside. */
  clamp(): boolean {
    const { frame } = this;
    const clamped = Math.min(this.#sources?.frames ?? 0, Math.max(0, frame));
    this.#line += clamped - frame;
    return clamped !== frame;
  }

  /** Renders the fade-out before anything changes. The audio that follows fades in. */
  cut(): void {
    this.#leave(this.#cutFade);
  }

  #leave(fade: CutCrossfade): void {
    if (!this.#last.isPlaying) return;
    const line = this.#line;
    for (let block = 0; block * BLOCK_FRAMES < fade.frames; block++) {
      const [left, right] = this.#tailBlocks[block]!;
      this.#render(left, right, BLOCK_FRAMES, this.#last.step, block * BLOCK_FRAMES);
    }
    fade.fadeOut(this.#tailLeft, this.#tailRight);
    this.#entryFade = fade;
    this.#line = line;
    this.#last.isPlaying = false;
  }

  /** Whether the audio of the next `seconds` at `step` is loaded. */
  isReady(step: number, isKeyLocked: boolean, seconds: number): boolean {
    return this.#sources !== null && this.#isLoaded(this.#sources, step, isKeyLocked, seconds);
  }

  #isLoaded(sources: SourceGroup, step: number, isKeyLocked: boolean, seconds: number): boolean {
    const ahead = isKeyLocked ? LOCK_AHEAD_SECONDS : 0;
    const reach = (seconds + ahead + FADE_SECONDS) * this.#outputRateHz * step;
    const margin = isKeyLocked ? 0 : VARISPEED_AHEAD_FRAMES;
    const from = Math.floor(this.#line + Math.min(0, reach)) - (step < 0 ? margin : 0);
    const to = Math.ceil(this.#line + Math.max(0, reach)) + (step >= 0 ? margin : 0);
    return this.#reader.path.isLoaded(from, to, sources);
  }

  /** Renders the next samples, at most {@link BLOCK_FRAMES}. */
  process(left: Float32Array, right: Float32Array, frames: number, motion: Motion): void {
    const last = this.#last;
    const step = Math.min(MAX_STEP, Math.max(-MAX_STEP, motion.step));
    const isBetween = step === 1 && !motion.isKeyLocked && !Number.isInteger(this.#line);
    if (!motion.isPlaying || motion.isKeyLocked !== last.isKeyLocked || isBetween) this.cut();
    if (motion.isPlaying && !last.isPlaying) {
      // At a step of 1 stored samples are read unchanged, from a whole frame on.
      if (isBetween) this.#line = Math.round(this.frame) + Math.round(this.#reader.path.shift);
      this.#keyLock.reset(this.#line);
      this.#entryFade.fadeIn();
      this.#entryFade = this.#cutFade;
      last.step = step;
    }
    last.isPlaying = motion.isPlaying;
    last.isKeyLocked = motion.isKeyLocked;
    last.semitones = motion.semitones;
    if (motion.isPlaying) {
      this.#sources?.measure(Math.round(this.frame), Math.ceil(Math.abs(step) * frames));
      this.#render(left, right, frames, step, 0);
    } else {
      left.fill(0, 0, frames);
      right.fill(0, 0, frames);
      this.#line += step * frames;
    }
    this.#sources?.advance(frames);
    this.#cutFade.process(left, right, frames, motion.isPlaying);
    this.#switchFade.process(left, right, frames, motion.isPlaying);
    last.step = step;
    this.#wrap(step);
  }

  /** Renders the next samples, with a step that changes linearly to `step`, and advances. */
  #render(left: Float32Array, right: Float32Array, frames: number, step: number, ahead: number): void {
    const { isKeyLocked, semitones, step: from } = this.#last;
    const mean = (from + step) / 2;
    if (isKeyLocked) {
      this.#reader.aim(0, 0, ahead);
      this.#keyLock.process(this.#reader, mean, semitones, left, right, frames);
      this.#line += mean * frames;
      return;
    }
    const samplesPerFrame = Math.abs(mean) < 0.05 ? 0 : 1 / mean;
    this.#reader.aim(this.#line, samplesPerFrame, ahead);
    this.#line = this.#varispeed.process(this.#reader, this.#line, from, step, left, right, frames);
  }

  /** Counts the rounds of the loop played, forwards or backwards. */
  #wrap(step: number): void {
    const { path } = this.#reader;
    if (!path.isOn) this.#enterLoop();
    if (!path.isOn) return;
    while (this.frame >= path.end) {
      path.shift += path.length;
      path.hasWrapped = true;
    }
    if (step >= 0 || this.frame >= path.start) return;
    if (path.hasWrapped) while (this.frame < path.start) path.shift -= path.length;
    else if (this.frame - step * BLOCK_FRAMES >= path.start) this.#wrapBack();
  }

  /** Wraps from the start of a loop backwards to its end, for the first time. */
  #wrapBack(): void {
    const { path } = this.#reader;
    const position = path.start + modulo(this.frame - path.start, path.length);
    this.cut();
    this.#line = position;
    path.shift = 0;
    path.hasWrapped = true;
  }

  /** Whether a loop boundary is near on either side. */
  #isNearEdge(): boolean {
    const { path } = this.#reader;
    path.find(Math.floor(this.#line));
    if (this.#line < path.seamEnd + VARISPEED_AHEAD_FRAMES) return true;
    return path.isOn && path.end - this.frame < VARISPEED_AHEAD_FRAMES;
  }

  #enterLoop(): void {
    const { path } = this.#reader;
    path.isOn = path.end > path.start && this.frame < path.end;
  }

  #keyLockFor(sampleRateHz: number): KeyLock {
    let lock = this.#keyLocks.get(sampleRateHz);
    if (!lock) {
      lock = new KeyLock(this.#outputRateHz, { sourceRateHz: sampleRateHz });
      this.#keyLocks.set(sampleRateHz, lock);
    }
    return lock;
  }
}

function modulo(value: number, length: number): number {
  return ((value % length) + length) % length;
}

import { FADE_SECONDS, fadeInGain } from '../gain/fade-curve.ts';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { ChunkedSource } from '../sources/chunked-source.ts';
import type { Arrangement } from './arrangement.ts';
import type { EditMixerCommand, EditTransport } from './edit-mixer-messages.ts';
import { EDIT_BLOCK_FRAMES, LaneRenderer } from './lane-renderer.ts';

/** Audio that has to be loaded before playback resumes after running dry, in seconds. */
const RESUME_SECONDS = 0.25;
/** Shortest loop in frames: a shorter one would be perceived as a tone. */
const SHORTEST_LOOP_FRAMES = 64;
const nothing: Arrangement = { lanes: [], frames: 0 };

/** A position in an arrangement; `isMoving` while it plays. */
interface Head {
  arrangement: Arrangement;
  frame: number;
  isMoving: boolean;
}

/**
 * Plays the arrangement of a project.
 *
 * `sources → clips with gains and fades → lanes → channel strips → sum → master fader`
 *
 * Starts, stops, jumps, loop boundaries and changes of the arrangement are crossfaded in 5 ms with gains that add up to
 * 1: what does not change is not altered by a sample. There is no limiter: a sum beyond full scale is clipped by the
 * output as by a file of integers, and `outputPeak` tells of it. The samples do not depend on how many frames a call asks
 * for. `process` allocates nothing.
 *
 * @spec Editor playback
 */
export class EditMixer {
  /** Highest absolute output sample since it was last set to 0. */
  outputPeak = 0;
  /** `id` of the last transport command that was carried out. */
  commandId = 0;
  /** Highest absolute sample of each lane after its strip since it was last filled with 0. */
  lanePeaks = new Float32Array(0);

  readonly #rateHz: number;
  readonly #fadeFrames: number;
  readonly #master: GainRamp;
  readonly #head: Head = { arrangement: nothing, frame: 0, isMoving: false };
  /** What fades out while the head fades in. */
  readonly #fading: Head = { arrangement: nothing, frame: 0, isMoving: false };
  #fadeLeft = 0;
  /** Arrangement and position that came during a crossfade, which ends first; the last ones count. */
  #next: Arrangement | null = null;
  #nextFrame: number | null = null;
  #sources: readonly ChunkedSource[] = [];
  #lanes = new LaneRenderer([]);
  #loop: { startFrame: number; endFrame: number } | null = null;
  #wantsToPlay = false;
  #isStarved = false;
  #hasEnded = false;
  readonly #left = new Float32Array(EDIT_BLOCK_FRAMES);
  readonly #right = new Float32Array(EDIT_BLOCK_FRAMES);
  readonly #laneLeft = new Float32Array(EDIT_BLOCK_FRAMES);
  readonly #laneRight = new Float32Array(EDIT_BLOCK_FRAMES);
  readonly #fadingLeft = new Float32Array(EDIT_BLOCK_FRAMES);
  readonly #fadingRight = new Float32Array(EDIT_BLOCK_FRAMES);

  constructor(sampleRateHz: number) {
    this.#rateHz = sampleRateHz;
    this.#fadeFrames = Math.floor(FADE_SECONDS * sampleRateHz);
    this.#master = new GainRamp(1, Math.floor(GAIN_RAMP_SECONDS * sampleRateHz));
  }

  /** Position in frames of the timeline. */
  get frame(): number {
    return this.#nextFrame ?? this.#head.frame;
  }

  /** State of the transport. */
  get transport(): EditTransport {
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    return this.#isStarved ? 'buffering' : 'playing';
  }

  /** Carries out a command. */
  apply(command: EditMixerCommand): void {
    if ('id' in command) this.commandId = command.id;
    switch (command.type) {
      case 'setup':
        this.#sources = command.sources.map((shape) => new ChunkedSource(shape));
        this.#lanes = new LaneRenderer(this.#sources);
        break;
      case 'arrangement':
        this.#next = command.arrangement;
        if (this.#fadeLeft === 0) this.#takeNext();
        break;
      case 'chunk':
        this.#sources[command.source]?.store(command.index, command.samples);
        break;
      case 'drop':
        this.#sources[command.source]?.drop(command.index);
        break;
      case 'play':
        if (this.#head.frame >= this.#head.arrangement.frames) this.#jump(this.#loop?.startFrame ?? 0);
        this.#hasEnded = false;
        this.#wantsToPlay = true;
        this.#isStarved = !this.#isReady(RESUME_SECONDS * this.#rateHz);
        if (command.isImmediate === true && !this.#isStarved) this.#head.isMoving = true;
        break;
      case 'pause':
        this.#wantsToPlay = false;
        // At once, so that a jump in the same block does not play on from there.
        if (this.#head.isMoving && this.#fadeLeft === 0) this.#startFade(false);
        break;
      case 'seek':
        this.#hasEnded = false;
        this.#nextFrame = Math.max(0, Math.round(command.frame));
        if (this.#fadeLeft === 0 || !this.#head.isMoving) this.#takeNext();
        break;
      case 'loop':
        this.#setLoop(command.loop);
        break;
      case 'master':
        this.#master.set(command.gain, !this.#head.isMoving);
        break;
    }
  }

  /** Renders the next `frames` samples of output. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    for (let from = 0; from < frames; ) {
      const count = this.#nextCount(frames - from);
      this.#render(count);
      for (let n = 0; n < count; n++) {
        const gain = this.#master.next();
        const l = this.#left[n]! * gain;
        const r = this.#right[n]! * gain;
        left[from + n] = l;
        right[from + n] = r;
        this.outputPeak = Math.max(this.outputPeak, Math.abs(l), Math.abs(r));
      }
      from += count;
    }
  }

  /** Frames to render at once: up to the end of a crossfade, of the loop or of the arrangement. */
  #nextCount(wanted: number): number {
    let count = Math.min(wanted, EDIT_BLOCK_FRAMES);
    if (this.#fadeLeft > 0) count = Math.min(count, this.#fadeLeft);
    const { frame, arrangement } = this.#head;
    const end = this.#activeLoopEnd() ?? arrangement.frames;
    if (this.#wantsToPlay && end > frame) count = Math.min(count, end - frame);
    return count;
  }

  #activeLoopEnd(): number | null {
    const loop = this.#loop;
    return loop && this.#head.frame < loop.endFrame ? loop.endFrame : null;
  }

  #render(frames: number): void {
    const head = this.#head;
    if (this.#wantsToPlay) {
      this.#isStarved = !this.#isReady(this.#isStarved ? RESUME_SECONDS * this.#rateHz : frames);
    }
    const moves = this.#wantsToPlay && !this.#isStarved;
    if (moves !== head.isMoving && this.#fadeLeft === 0) this.#startFade(moves);
    this.#left.fill(0, 0, frames);
    this.#right.fill(0, 0, frames);
    if (head.isMoving) this.#addHead(head, frames, this.#left, this.#right, true);
    if (this.#fadeLeft > 0) this.#crossfade(frames);
    this.#advance(frames);
    if (this.#fadeLeft === 0) this.#takeNext();
  }

  /** Mixes what fades out into the block, and what plays with a rising gain. */
  #crossfade(frames: number): void {
    const done = this.#fadeFrames - this.#fadeLeft;
    this.#fadingLeft.fill(0, 0, frames);
    this.#fadingRight.fill(0, 0, frames);
    if (this.#fading.isMoving)
      this.#addHead(this.#fading, frames, this.#fadingLeft, this.#fadingRight, false);
    for (let n = 0; n < frames; n++) {
      const rising = fadeInGain((done + n + 0.5) / this.#fadeFrames);
      this.#left[n] = this.#fadingLeft[n]! + (this.#left[n]! - this.#fadingLeft[n]!) * rising;
      this.#right[n] = this.#fadingRight[n]! + (this.#right[n]! - this.#fadingRight[n]!) * rising;
    }
    if (this.#fading.isMoving) this.#fading.frame += frames;
    this.#fadeLeft -= frames;
  }

  #advance(frames: number): void {
    const head = this.#head;
    if (!head.isMoving) return;
    const loopEnd = this.#activeLoopEnd();
    head.frame += frames;
    if (loopEnd !== null && head.frame >= loopEnd) {
      this.#jump(this.#loop?.startFrame ?? 0);
    } else if (head.frame >= head.arrangement.frames) {
      this.#wantsToPlay = false;
      this.#hasEnded = true;
      head.isMoving = false;
    }
  }

  #addHead(
    { arrangement, frame }: Head,
    frames: number,
    left: Float32Array,
    right: Float32Array,
    isMeasured: boolean,
  ): void {
    for (let index = 0; index < arrangement.lanes.length; index++) {
      const lane = arrangement.lanes[index]!;
      if (lane.leftGain === 0 && lane.rightGain === 0) continue;
      this.#laneLeft.fill(0, 0, frames);
      this.#laneRight.fill(0, 0, frames);
      this.#lanes.addLane(lane.clips, frame, frames, this.#laneLeft, this.#laneRight);
      let peak = this.lanePeaks[index] ?? 0;
      for (let n = 0; n < frames; n++) {
        const l = this.#laneLeft[n]! * lane.leftGain;
        const r = this.#laneRight[n]! * lane.rightGain;
        left[n]! += l;
        right[n]! += r;
        if (isMeasured) peak = Math.max(peak, Math.abs(l), Math.abs(r));
      }
      if (isMeasured) this.lanePeaks[index] = peak;
    }
  }

  #isReady(frames: number): boolean {
    const { arrangement, frame } = this.#head;
    const end = this.#activeLoopEnd() ?? arrangement.frames;
    const ahead = Math.min(frames, Math.max(0, end - frame));
    if (!this.#lanes.isLoaded(arrangement, frame, ahead)) return false;
    const rest = Math.ceil(frames - ahead);
    return (
      this.#loop === null || rest === 0 || this.#lanes.isLoaded(arrangement, this.#loop.startFrame, rest)
    );
  }

  /** Lets what plays fade out; the head continues with `isMoving`. */
  #startFade(isMoving: boolean): void {
    const head = this.#head;
    this.#fading.arrangement = head.arrangement;
    this.#fading.frame = head.frame;
    this.#fading.isMoving = head.isMoving;
    this.#fadeLeft = this.#fadeFrames;
    head.isMoving = isMoving;
  }

  #jump(frame: number): void {
    if (this.#head.isMoving) this.#startFade(true);
    this.#head.frame = Math.min(this.#head.arrangement.frames, Math.max(0, Math.round(frame)));
  }

  /** Continues with the arrangement and the position that were asked for last. */
  #takeNext(): void {
    const [next, frame] = [this.#next, this.#nextFrame];
    if (!next && frame === null) return;
    this.#next = null;
    this.#nextFrame = null;
    if (this.#head.isMoving) this.#startFade(true);
    if (next) this.#head.arrangement = next;
    if (next && this.lanePeaks.length !== next.lanes.length)
      this.lanePeaks = new Float32Array(next.lanes.length);
    if (frame !== null) this.#head.frame = Math.min(this.#head.arrangement.frames, frame);
  }

  #setLoop(loop: { startFrame: number; endFrame: number } | null): void {
    const isLong = loop !== null && loop.endFrame - loop.startFrame >= SHORTEST_LOOP_FRAMES;
    this.#loop = isLong ? { startFrame: loop.startFrame, endFrame: loop.endFrame } : null;
  }
}

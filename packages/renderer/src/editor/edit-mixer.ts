import { FADE_SECONDS, fadeInGain } from '../gain/fade-curve.ts';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { ChunkedSource } from '../sources/chunked-source.ts';
import { type ArrangedLane, type Arrangement, emptyArrangement } from './arrangement.ts';
import type { EditMixerCommand, EditTransport } from './edit-mixer-messages.ts';
import { EDIT_BLOCK_FRAMES, LaneRenderer } from './lane-renderer.ts';
import { LaneStrip } from './lane-strip.ts';
import { LiveLoudness, type LoudnessReading } from './live-loudness.ts';
import { SharedReverb } from './shared-reverb.ts';

/** Audio that has to be loaded before playback resumes after running dry, in seconds. */
const RESUME_SECONDS = 0.25;
/** Shortest loop in frames: a shorter one would be perceived as a tone. */
const SHORTEST_LOOP_FRAMES = 64;

type StereoBlock = readonly [Float32Array, Float32Array];

const stereoBlock = (): StereoBlock => [
  new Float32Array(EDIT_BLOCK_FRAMES),
  new Float32Array(EDIT_BLOCK_FRAMES),
];

function clear([left, right]: StereoBlock, frames: number): void {
  left.fill(0, 0, frames);
  right.fill(0, 0, frames);
}

/** Strip of a lane, with the lane in the arrangement that plays. */
interface Channel {
  readonly id: string;
  readonly strip: LaneStrip;
  readonly lane: ArrangedLane | null;
  /** The lane in the arrangement before. */
  readonly laneBefore: ArrangedLane | null;
}

/** A position in an arrangement; `isMoving` while it plays. */
interface Head {
  arrangement: Arrangement;
  frame: number;
  isMoving: boolean;
}

/**
 * Plays the arrangement of a project.
 *
 * `sources → clips, stretched, with gains and fades → lanes → channel strips → sum + reverb → master fader`
 *
 * Starts, stops, jumps, loop boundaries and changes of the arrangement are crossfaded in 5 ms with gains that add up to
 * 1: what does not change is not altered by a sample. There is no limiter: a sum beyond full scale is clipped by the
 * output as by a file of integers, and `outputPeak` tells of it. The samples do not depend on how many frames a call asks
 * for. After the last clip the reverb rings on. `process` allocates nothing.
 *
 * @spec Editor playback
 */
export class EditMixer {
  /** Highest absolute output sample since it was last set to 0. */
  outputPeak = 0;
  /** `id` of the last transport command that was carried out. */
  commandId = 0;

  readonly #rateHz: number;
  readonly #fadeFrames: number;
  readonly #master: GainRamp;
  readonly #head: Head = { arrangement: emptyArrangement, frame: 0, isMoving: false };
  /** What fades out while the head fades in. */
  readonly #fading: Head = { arrangement: emptyArrangement, frame: 0, isMoving: false };
  #fadeLeft = 0;
  /** Arrangement and position that came during a crossfade, which ends first; the last ones count. */
  #next: Arrangement | null = null;
  #nextFrame: number | null = null;
  #sources: readonly ChunkedSource[] = [];
  #lanes: LaneRenderer;
  readonly #strips = new Map<string, LaneStrip>();
  /** Strips of the lanes of both heads, in their order. */
  #channels: readonly Channel[] = [];
  readonly #reverb: SharedReverb;
  readonly #loudness: LiveLoudness;
  readonly #measuresLoudness: boolean;
  #loop: { startFrame: number; endFrame: number } | null = null;
  #wantsToPlay = false;
  #isStarved = false;
  #hasEnded = false;
  readonly #sum = stereoBlock();
  readonly #lane = stereoBlock();
  readonly #fadingLane = stereoBlock();
  readonly #send = stereoBlock();

  /** @param options.measuresLoudness false for a file, which is measured otherwise */
  constructor(sampleRateHz: number, { measuresLoudness = true } = {}) {
    this.#rateHz = sampleRateHz;
    this.#fadeFrames = Math.floor(FADE_SECONDS * sampleRateHz);
    this.#lanes = new LaneRenderer([], sampleRateHz);
    this.#reverb = new SharedReverb(sampleRateHz);
    this.#loudness = new LiveLoudness(sampleRateHz);
    this.#measuresLoudness = measuresLoudness;
    this.#master = new GainRamp(1, Math.floor(GAIN_RAMP_SECONDS * sampleRateHz));
  }

  /** Returns the highest absolute sample of each lane after its strip since the last call. */
  takeLanePeaks(): number[] {
    return this.#head.arrangement.lanes.map(({ id }) => {
      const strip = this.#strips.get(id);
      const peak = strip?.peak ?? 0;
      if (strip) strip.peak = 0;
      return peak;
    });
  }

  /** Returns the gain reduction of the compressor of each lane in dB, 0 or less. */
  reductionsDb(): number[] {
    return this.#head.arrangement.lanes.map(({ id }) => this.#strips.get(id)?.reductionDb ?? 0);
  }

  /** Returns the loudness of the mix before the master fader, integrated since playback started. */
  loudness(): LoudnessReading {
    return this.#loudness.read();
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
        this.#lanes = new LaneRenderer(this.#sources, this.#rateHz);
        break;
      case 'arrangement':
        this.#next = command.arrangement;
        this.#prepare(command.arrangement);
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
        if (!this.#wantsToPlay) this.#loudness.restart();
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
    const [sumLeft, sumRight] = this.#sum;
    let peak = this.outputPeak;
    for (let from = 0; from < frames; ) {
      const count = this.#nextCount(frames - from);
      this.#render(count);
      for (let n = 0; n < count; n++) {
        const gain = this.#master.next();
        const l = sumLeft[n]! * gain;
        const r = sumRight[n]! * gain;
        left[from + n] = l;
        right[from + n] = r;
        if (l > peak || -l > peak) peak = Math.abs(l);
        if (r > peak || -r > peak) peak = Math.abs(r);
      }
      if (this.#measuresLoudness && this.#head.isMoving)
        this.#loudness.push(this.#sum[0], this.#sum[1], count);
      from += count;
    }
    this.outputPeak = peak;
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
    clear(this.#sum, frames);
    clear(this.#send, frames);
    const isSending = this.#addChannels(frames);
    this.#reverb.add(this.#send, isSending, frames, this.#sum);
    if (this.#fadeLeft > 0) {
      if (this.#fading.isMoving) this.#fading.frame += frames;
      this.#fadeLeft -= frames;
    }
    this.#advance(frames);
    if (this.#fadeLeft === 0) this.#takeNext();
  }

  /** Adds all lanes to the sum; returns whether any sends to the reverb. */
  #addChannels(frames: number): boolean {
    let isSending = false;
    const isSame = this.#fading.arrangement === this.#head.arrangement;
    for (let index = 0; index < this.#channels.length; index++) {
      const { strip, lane, laneBefore } = this.#channels[index]!;
      if (strip.isSilent) continue;
      const fadingLane = isSame ? lane : laneBefore;
      clear(this.#lane, frames);
      const isPlaying = this.#head.isMoving && lane !== null;
      if (isPlaying) this.#lanes.addLane(lane.clips, this.#head.frame, frames, this.#lane[0], this.#lane[1]);
      const isFading = this.#fadeLeft > 0 && this.#fading.isMoving && fadingLane !== null;
      if (this.#fadeLeft > 0) this.#crossfade(isFading ? fadingLane : null, frames);
      strip.add(this.#lane, frames, this.#sum, this.#send);
      isSending ||= strip.isSending && (isPlaying || isFading);
    }
    return isSending;
  }

  /** Mixes what fades out into the block of a lane, and what plays with a rising gain. */
  #crossfade(fading: ArrangedLane | null, frames: number): void {
    const done = this.#fadeFrames - this.#fadeLeft;
    const [left, right] = this.#lane;
    const [fadingLeft, fadingRight] = this.#fadingLane;
    clear(this.#fadingLane, frames);
    if (fading) this.#lanes.addLane(fading.clips, this.#fading.frame, frames, fadingLeft, fadingRight);
    for (let n = 0; n < frames; n++) {
      const rising = fadeInGain((done + n + 0.5) / this.#fadeFrames);
      left[n] = fadingLeft[n]! + (left[n]! - fadingLeft[n]!) * rising;
      right[n] = fadingRight[n]! + (right[n]! - fadingRight[n]!) * rising;
    }
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
    if (next) this.#show(next);
    if (frame !== null) this.#head.frame = Math.min(this.#head.arrangement.frames, frame);
  }

  /** Creates what the next arrangement needs. */
  #prepare(arrangement: Arrangement): void {
    this.#lanes.prepare(arrangement);
    for (const { id } of arrangement.lanes)
      if (!this.#strips.has(id)) this.#strips.set(id, new LaneStrip(this.#rateHz, EDIT_BLOCK_FRAMES));
  }

  /** Plays another arrangement; lanes that it lacks fade out with the head before it. */
  #show(next: Arrangement): void {
    const before = this.#head.arrangement;
    this.#head.arrangement = next;
    const isAudible = this.#head.isMoving || this.#fadeLeft > 0;
    this.#reverb.set(next.reverb);
    const lacking = before.lanes.filter(({ id }) => next.lanes.every((lane) => lane.id !== id));
    const channelOf = ({ id }: ArrangedLane, lane: ArrangedLane | null): Channel[] => {
      const strip = this.#strips.get(id);
      if (!strip) return [];
      if (lane) strip.set(lane, !isAudible);
      return [{ id, strip, lane, laneBefore: before.lanes.find((other) => other.id === id) ?? null }];
    };
    this.#channels = [
      ...next.lanes.flatMap((lane) => channelOf(lane, lane)),
      ...lacking.flatMap((lane) => channelOf(lane, null)),
    ];
  }

  #setLoop(loop: { startFrame: number; endFrame: number } | null): void {
    const isLong = loop !== null && loop.endFrame - loop.startFrame >= SHORTEST_LOOP_FRAMES;
    this.#loop = isLong ? { startFrame: loop.startFrame, endFrame: loop.endFrame } : null;
  }
}

import { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { FADE_SECONDS } from '../gain/fade-curve.ts';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SafetyLimiter } from '../gain/safety-limiter.ts';
import { ClickTrack } from '../metronome/click-track.ts';
import { CountIn, planCountIn } from '../metronome/count-in.ts';
import { BLOCK_FRAMES, type Motion, SourcePlayback } from '../playback/source-playback.ts';
import type { StemShape } from '../sources/chunk.ts';
import { SourceGroup } from '../sources/source-group.ts';
import type { StemMixerCommand, StemTone, TransportState } from './stem-mixer-messages.ts';

/** Audio that has to be loaded before playback resumes after running dry, in seconds. */
const RESUME_SECONDS = 0.25;
/** Crossfade at a loop boundary, in seconds: its steepest slope is that of a straight line of 5 ms. */
const SEAM_SECONDS = 0.008;
const noPeaks = new Float32Array(0);

/**
 * Plays all stems of a song from one position.
 *
 * `stems → equalisers, pan, faders → sum → loop → varispeed | key lock → + clicks → master fader → limiter`
 *
 * There is one position for all stems, so they cannot drift apart; where the samples of any stem are missing, all wait.
 * Starts, stops, seeks and loop boundaries are crossfaded, and a loop lasts exactly `endFrame − startFrame`. Position and
 * lengths are in sample frames of the stems. At the recorded tempo and key, and at an output of the stems' sample rate, the
 * sum leaves sample for sample. Other separations of the song are further groups of stems at the same position;
 * switching between them is a crossfade of 20 ms whose gains add up to 1. The samples do not depend on how many blocks of {@link BLOCK_FRAMES} a call of
 * `process` asks for. `process` allocates nothing.
 *
 * @spec Stem player
 */
export class StemMixer {
  /** Highest absolute output sample since it was last set to 0. */
  outputPeak = 0;
  /** `id` of the last transport command that was carried out. */
  commandId = 0;
  /** Group that plays. */
  group = 0;

  readonly #outputRateHz: number;
  readonly #fadeFrames: number;
  readonly #rampFrames: number;
  readonly #limiter: SafetyLimiter;
  readonly #master: GainRamp;
  readonly #playback: SourcePlayback;
  readonly #motion: Motion = { isPlaying: false, isKeyLocked: false, step: 1, semitones: 0 };
  readonly #left = new Float32Array(BLOCK_FRAMES);
  readonly #right = new Float32Array(BLOCK_FRAMES);
  #stems: SourceGroup | null = null;
  readonly #groups = new Map<number, SourceGroup>();
  /** Group to switch to once it is loaded, or null. */
  #pending: {
    readonly group: number;
    readonly gains: readonly number[];
    readonly tones?: readonly StemTone[];
  } | null = null;
  readonly #clicks: ClickTrack;
  readonly #click = new Float32Array(BLOCK_FRAMES);
  readonly #clickGain: GainRamp;
  /** What the clicks follow. */
  readonly #leader = {
    isSteady: false,
    blockFrame: 0,
    blockStep: 0,
    position: { grid: new BeatLookup([], []), loop: null as FrameLoop | null },
  };
  readonly #countIn = new CountIn();
  #countInBars = 0;
  #isClicking = false;
  #rate = 1;
  #semitones = 0;
  #isKeyLocked = true;
  #wantsToPlay = false;
  #hasEnded = false;
  #isStarved = false;
  /** Output samples of the fade-out after a pause that are still to come. */
  #fadeOutFrames = 0;
  #loop = { startFrame: 0, endFrame: 0 };

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.#fadeFrames = Math.floor(FADE_SECONDS * outputRateHz);
    this.#rampFrames = Math.floor(GAIN_RAMP_SECONDS * outputRateHz);
    this.#limiter = new SafetyLimiter(outputRateHz);
    this.#master = new GainRamp(1, this.#rampFrames);
    this.#clicks = new ClickTrack(outputRateHz);
    this.#clickGain = new GainRamp(1, this.#rampFrames);
    this.#playback = new SourcePlayback(outputRateHz, { seamSeconds: SEAM_SECONDS });
  }

  /** Position in sample frames of the stems. */
  get position(): number {
    return this.#playback.frame;
  }

  /** Seconds of the song in one second of output. */
  get rate(): number {
    return this.#rate;
  }

  /** State of the transport. */
  get transport(): TransportState {
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    if (this.#countIn.framesLeft > 0) return 'counting-in';
    return this.#isStarved ? 'buffering' : 'playing';
  }

  /** Latency between mixing and output, in output samples. */
  get delayFrames(): number {
    return this.#limiter.delayFrames;
  }

  /** Highest absolute sample of each stem after its fader since it was last filled with 0. */
  get stemPeaks(): Float32Array {
    return this.#stems?.peaks ?? noPeaks;
  }

  /** Carries out a command. */
  apply(command: StemMixerCommand): void {
    if ('id' in command) this.commandId = command.id;
    switch (command.type) {
      case 'setup':
        this.#setUp(command);
        break;
      case 'open':
        if (this.#stems) this.#openGroup(command.group, this.#stems, command.stems);
        break;
      case 'discard':
        if (command.group !== this.group) this.#groups.delete(command.group);
        break;
      case 'select':
        this.#pending = command;
        break;
      case 'chunk':
        this.#groups.get(command.group ?? 0)?.store(command.stem, command.index, command.samples);
        break;
      case 'drop':
        this.#groups.get(command.group ?? 0)?.drop(command.stem, command.index);
        break;
      case 'play':
        if (this.#hasEnded) this.#jump(this.#loop.startFrame);
        if (!this.#wantsToPlay) this.#startCountIn();
        this.#fadeOutFrames = 0;
        this.#wantsToPlay = true;
        this.#isStarved = !this.#isReady(RESUME_SECONDS);
        break;
      case 'pause':
        // The fade-out plays on, and the position with it: playback resumes where it ended.
        if (this.#motion.isPlaying) this.#fadeOutFrames = this.#fadeFrames;
        this.#wantsToPlay = false;
        this.#countIn.cancel();
        break;
      case 'seek':
        this.#jump(command.frame);
        break;
      case 'loop':
        this.#setLoop(command.loop);
        break;
      case 'tempo':
        this.#rate = command.rate;
        this.#semitones = command.semitones;
        this.#isKeyLocked = command.isKeyLocked;
        break;
      case 'gains':
        if (this.#stems) this.#playback.setGains(this.#stems, command.gains, command.tones);
        break;
      case 'beats':
        this.#leader.position.grid = new BeatLookup(command.beats, command.downbeats);
        break;
      case 'metronome':
        this.#isClicking = command.isOn;
        this.#clickGain.set(command.gain);
        break;
      case 'count-in':
        this.#countInBars = command.bars;
        break;
      case 'master':
        this.#master.set(command.gain, !this.#playback.isAudible);
        break;
    }
  }

  /** Renders the next `frames` samples of output. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    for (let from = 0; from < frames; ) {
      // Blocks that end early are followed by the rest of the block, so that the samples do not depend on `frames`.
      const rest = Math.min(BLOCK_FRAMES - (from % BLOCK_FRAMES), frames - from);
      const count = Math.min(
        rest,
        this.#fadeOutFrames || BLOCK_FRAMES,
        this.#countIn.framesLeft || BLOCK_FRAMES,
      );
      this.#render(count);
      for (let n = 0; n < count; n++) {
        left[from + n] = this.#left[n]!;
        right[from + n] = this.#right[n]!;
      }
      from += count;
    }
  }

  #render(frames: number): void {
    const motion = this.#motion;
    motion.step = this.#step;
    motion.isKeyLocked = this.#usesKeyLock;
    motion.semitones = this.#semitones + (this.#isKeyLocked ? 0 : 12 * Math.log2(this.#rate));
    this.#switchToPending();
    if (this.#wantsToPlay) {
      this.#isStarved = !this.#isReady(this.#isStarved ? RESUME_SECONDS : frames / this.#outputRateHz);
    }
    motion.isPlaying = this.#wantsToPlay && !this.#isStarved && this.#countIn.framesLeft === 0;
    this.#followBlock(motion);
    if (!motion.isPlaying && this.#fadeOutFrames === 0) motion.step = 0;
    this.#playback.process(this.#left, this.#right, frames, motion);
    this.#fadeOutFrames = Math.max(0, this.#fadeOutFrames - frames);
    this.#endAtLastFrame();
    this.#renderClicks(frames);
    for (let n = 0; n < frames; n++) {
      const gain = this.#master.next();
      const click = this.#click[n]! * this.#clickGain.next();
      this.#left[n] = (this.#left[n]! + click) * gain;
      this.#right[n] = (this.#right[n]! + click) * gain;
    }
    this.#limiter.process(this.#left, this.#right, frames);
    for (let n = 0; n < frames; n++) {
      this.outputPeak = Math.max(this.outputPeak, Math.abs(this.#left[n]!), Math.abs(this.#right[n]!));
    }
  }

  /** Notes where the block begins, for the clicks. */
  #followBlock({ isPlaying, step }: Motion): void {
    const leader = this.#leader;
    leader.isSteady = isPlaying;
    leader.blockFrame = this.#playback.frame;
    leader.blockStep = step;
    leader.position.loop = this.#playback.isLooping ? this.#loop : null;
  }

  #renderClicks(frames: number): void {
    const rateHz = this.#stems?.sampleRateHz ?? this.#outputRateHz;
    this.#clicks.process(this.#isClicking ? this.#leader : null, rateHz, this.#click, frames);
    if (this.#countIn.framesLeft > 0) this.#countIn.process(this.#clicks, this.#click, frames);
  }

  /** Counts in to the beginning of the present bar, inside of the loop where one is active. */
  #startCountIn(): void {
    const rateHz = this.#stems?.sampleRateHz ?? this.#outputRateHz;
    const { position } = this;
    const plan = this.#countInBars > 0 ? planCountIn(this.#leader.position.grid, position / rateHz) : null;
    if (!plan) return;
    this.#countIn.start(plan, this.#countInBars, this.#rate, this.#outputRateHz);
    const least = this.#playback.isLooping && position >= this.#loop.startFrame ? this.#loop.startFrame : 0;
    const start = Math.max(least, Math.round(plan.startSeconds * rateHz));
    if (start !== Math.round(position)) this.#jump(start);
  }

  /** Sample frames of the stems in one output sample. */
  get #step(): number {
    return ((this.#stems?.sampleRateHz ?? this.#outputRateHz) / this.#outputRateHz) * this.#rate;
  }

  /** Whether the pitch differs from that of varispeed at this tempo. */
  get #usesKeyLock(): boolean {
    return this.#semitones !== 0 || (this.#isKeyLocked && this.#rate !== 1);
  }

  #isReady(seconds: number): boolean {
    return this.#playback.isReady(this.#step, this.#usesKeyLock, seconds);
  }

  #setUp({ sampleRateHz, stems }: StemMixerCommand & { type: 'setup' }): void {
    const frames = Math.max(0, ...stems.map((shape) => shape.frames));
    this.#groups.clear();
    this.#pending = null;
    this.group = 0;
    this.#stems = this.#openGroup(0, { sampleRateHz, frames }, stems);
    this.#playback.setSources(this.#stems);
    this.#setLoop(null);
    this.#jump(0);
  }

  #openGroup(
    group: number,
    { sampleRateHz, frames }: { readonly sampleRateHz: number; readonly frames: number },
    stems: readonly StemShape[],
  ): SourceGroup {
    const seamFrames = Math.floor(SEAM_SECONDS * sampleRateHz);
    const opened = new SourceGroup({ sampleRateHz, frames, sources: stems }, this.#rampFrames, seamFrames);
    this.#groups.set(group, opened);
    return opened;
  }

  #switchToPending(): void {
    if (!this.#pending) return;
    const { group, gains, tones } = this.#pending;
    const stems = this.#groups.get(group);
    if (stems && stems !== this.#stems) {
      if (!this.#playback.canSwitch(stems, this.#step, this.#usesKeyLock, RESUME_SECONDS)) return;
      this.#playback.setGains(stems, gains, tones);
      this.#playback.switchSources(stems);
      this.#stems = stems;
      this.group = group;
    }
    this.#pending = null;
  }

  #setLoop(loop: { startFrame: number; endFrame: number } | null): void {
    const { startFrame, endFrame } = loop ?? { startFrame: 0, endFrame: 0 };
    if (startFrame === this.#loop.startFrame && endFrame === this.#loop.endFrame) return;
    this.#loop = { startFrame, endFrame };
    // A new loop does not move a position that was inside of the old one.
    this.#playback.setLoop(null);
    this.#playback.setLoop(loop);
  }

  #jump(frame: number): void {
    this.#playback.jump(Math.min(this.#stems?.frames ?? 0, Math.max(0, Math.round(frame))));
    this.#fadeOutFrames = 0;
    this.#hasEnded = false;
  }

  #endAtLastFrame(): void {
    this.#playback.clamp();
    if (!this.#wantsToPlay || !this.#stems || this.#playback.frame < this.#stems.frames) return;
    this.#playback.cut();
    this.#wantsToPlay = false;
    this.#isStarved = false;
    this.#hasEnded = true;
  }
}

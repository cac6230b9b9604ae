import { FADE_SECONDS, GAIN_RAMP_SECONDS } from '../stem-mixer.ts';
import { BeatGrid } from './beat-grid.ts';
import type { BoothCommand, DeckTransport, FrameLoop } from './booth-messages.ts';
import { BLOCK_FRAMES, DeckSound, type Motion } from './deck-sound.ts';
import { DeckVoices } from './deck-voices.ts';
import { Platter } from './platter.ts';

/** After running dry, so much has to be there before it goes on: less would stutter. */
const RESUME_SECONDS = 0.25;
/** Nearer than this a slipped deck is where it would be, in sample frames. */
const SAME_FRAMES = 2;
const RATES = { least: 0.1, most: 4 };
const noGrid = new BeatGrid([], []);

/** The commands that one deck carries out by itself. */
export type DeckCommand = Extract<
  BoothCommand,
  {
    type:
      | 'load'
      | 'unload'
      | 'chunk'
      | 'drop'
      | 'grid'
      | 'pause'
      | 'seek'
      | 'loop'
      | 'voice-loop'
      | 'slip'
      | 'tempo'
      | 'scratch'
      | 'bend'
      | 'voices';
  }
>;

/**
 * One deck: where it is and what it is doing. Its sound, before its strip, is left in `left` and `right`.
 *
 * Places are in sample frames of the song. Where samples are missing it waits, and goes on by itself when they have come.
 * `process` allocates nothing.
 */
export class BoothDeck {
  readonly left = new Float32Array(BLOCK_FRAMES);
  readonly right = new Float32Array(BLOCK_FRAMES);
  /** Number of the song that sounds. */
  load = 0;
  /** `id` of the last command of the transport that was carried out. */
  commandId = 0;
  grid = noGrid;
  /** Whether its pace is another deck's. */
  isFollowing = false;
  /** Pace of its motor as the tempo fader has it. */
  tempo = 1;
  /** Where the block that was made last began, and frames of the song for a sample of it; 0 where it stood. */
  blockFrame = 0;
  blockStep = 0;

  readonly #outputRateHz: number;
  readonly #sound: DeckSound;
  readonly #platter: Platter;
  readonly #motion: Motion = { isSounding: false, isLocked: false, step: 0, semitones: 0 };
  #voices: DeckVoices | null = null;
  #next: DeckVoices | null = null;
  #nextLoad = 0;
  #loop: FrameLoop | null = null;
  #wantsToPlay = false;
  #hasEnded = false;
  #isStarved = false;
  #isKeyLocked = false;
  #semitones = 0;
  #bend = 1;
  #loudness = 1;
  #isSlipping = false;
  #shadow = 0;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.#sound = new DeckSound(outputRateHz);
    this.#platter = new Platter(outputRateHz);
  }

  /** What it is doing. */
  get transport(): DeckTransport {
    if (!this.#voices) return 'empty';
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    return this.#isStarved ? 'buffering' : 'playing';
  }

  /** Where it is, in sample frames. */
  get frame(): number {
    return this.#sound.frame;
  }

  /** Where it is, in seconds of the song. */
  get seconds(): number {
    return this.#sound.frame / this.sampleRateHz;
  }

  /** Where it would be without loops, jumps and hand, while it slips. */
  get slipFrame(): number | null {
    return this.#isSlipping && this.#voices ? this.#shadow : null;
  }

  /** Its pace now in multiples of the recorded one. */
  get rate(): number {
    return this.#platter.rate;
  }

  /** Whether it goes at its motor's pace, so that another can follow it. */
  get isSteady(): boolean {
    return this.#wantsToPlay && !this.#isStarved && !this.#platter.isTurning;
  }

  /** Whether it is to play. */
  get isPlaying(): boolean {
    return this.#wantsToPlay;
  }

  /** A factor of its pace, from a nudged jog wheel. */
  get bend(): number {
    return this.#bend;
  }

  /** The loop that it would go round in the block that was made last, or null. */
  get loop(): FrameLoop | null {
    return this.#sound.isLooping ? this.#loop : null;
  }

  /** Highest absolute sample of each voice; see {@link DeckVoices.peaks}. */
  get voicePeaks(): Float32Array | null {
    return this.#voices?.peaks ?? null;
  }

  /** Rate of the song. */
  get sampleRateHz(): number {
    return this.#voices?.sampleRateHz ?? this.#outputRateHz;
  }

  get #frames(): number {
    return this.#voices?.frames ?? 0;
  }

  /** Frames of the song for a sample of output, as recorded. */
  get #step(): number {
    return this.sampleRateHz / this.#outputRateHz;
  }

  /** The voices that commands speak of. */
  get #newest(): DeckVoices | null {
    return this.#next ?? this.#voices;
  }

  /** Does what the page asks. */
  apply(command: DeckCommand): void {
    if ('id' in command) this.commandId = command.id;
    switch (command.type) {
      case 'load':
        this.#take(command);
        break;
      case 'unload':
        this.#clear();
        break;
      case 'chunk':
        this.#voicesOf(command.load)?.store(command.voice, command.index, command.samples);
        break;
      case 'drop':
        this.#voicesOf(command.load)?.drop(command.voice, command.index);
        break;
      case 'grid':
        this.grid = new BeatGrid(command.beats, command.downbeats);
        break;
      case 'pause':
        this.#wantsToPlay = false;
        break;
      case 'seek':
        this.#seek(command.frame, command.isPhaseKept);
        break;
      case 'loop':
        this.#setLoop(command.loop);
        break;
      case 'voice-loop':
        if (!this.#next) this.#sound.cut();
        this.#newest?.setLoop(command.voice, command.loop);
        break;
      case 'slip':
        this.#slip(command.isOn);
        break;
      case 'tempo':
        this.tempo = Math.min(RATES.most, Math.max(RATES.least, command.rate));
        this.#isKeyLocked = command.isKeyLocked;
        this.#semitones = command.semitones;
        break;
      case 'scratch':
        this.#scratch(command.rate);
        break;
      case 'bend':
        this.#bend = Math.min(2, Math.max(0.5, command.factor));
        break;
      case 'voices':
        this.#setGains(command.gains);
        break;
    }
  }

  /** Starts to play: after the end from the beginning, or from the beginning of its loop. */
  play(id: number): void {
    this.commandId = id;
    if (!this.#voices) return;
    if (this.#hasEnded) this.#sound.jump(this.#loop?.startFrame ?? 0);
    this.#hasEnded = false;
    this.#wantsToPlay = true;
  }

  /** Jumps by so many of its beats, to where there is anything to play. */
  shiftBeats(beats: number): void {
    if (!this.grid.hasTempo) return;
    const place = this.grid.beatAt(this.seconds) + beats;
    const seconds = this.grid.secondsAt(place);
    this.#sound.jump(
      this.#held((seconds < 0 ? this.grid.secondsAt(place + 1) : seconds) * this.sampleRateHz),
    );
  }

  /** Makes the next samples. @param rate pace of the motor where it runs, in multiples of the recorded one */
  process(frames: number, rate: number): void {
    this.#takeNext();
    const platter = this.#platter;
    platter.move(frames, this.#wantsToPlay ? rate : 0);
    const motion = this.#motion;
    const isMoving = this.#voices !== null && (this.#wantsToPlay || platter.isTurning);
    motion.step = platter.rate * this.#step;
    motion.isLocked = !platter.isTurning && this.#needsLock(rate);
    motion.semitones = this.#semitones + (this.#isKeyLocked ? 0 : 12 * Math.log2(rate));
    const seconds = this.#isStarved ? RESUME_SECONDS : frames / this.#outputRateHz;
    motion.isSounding = isMoving && this.#sound.isReady(motion.step, motion.isLocked, seconds);
    this.#isStarved = isMoving && !motion.isSounding;
    if (this.#isStarved && !platter.isTurning) motion.step = 0;
    this.blockFrame = this.frame;
    this.blockStep = motion.step;
    this.#sound.process(this.left, this.right, frames, motion);
    this.#soften(frames);
    if (this.#isSlipping && this.#wantsToPlay && (platter.isTurning || !this.#isStarved)) {
      this.#shadow = Math.min(this.#frames, this.#shadow + rate * this.#step * frames);
    }
    this.#meetEnds();
  }

  #needsLock(rate: number): boolean {
    if (this.#semitones !== 0) return true;
    return this.#isKeyLocked && (rate !== 1 || this.isFollowing);
  }

  /** A record under the hand gets quiet as it comes to a stand. */
  #soften(frames: number): void {
    const from = this.#loudness;
    const to = this.#platter.loudness;
    this.#loudness = to;
    if (from === 1 && to === 1) return;
    for (let n = 0; n < frames; n++) {
      const gain = from + (to - from) * ((n + 1) / frames);
      this.left[n]! *= gain;
      this.right[n]! *= gain;
    }
  }

  #meetEnds(): void {
    if (!this.#voices) return;
    const isBeyond = this.#sound.clamp();
    if (isBeyond && this.#platter.isTurning) this.#platter.stop();
    if (this.frame < this.#frames || !this.#wantsToPlay || this.#platter.isHeld) return;
    this.#sound.cut();
    this.#platter.free();
    this.#wantsToPlay = false;
    this.#isStarved = false;
    this.#hasEnded = true;
  }

  #take(command: DeckCommand & { type: 'load' }): void {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * this.#outputRateHz);
    const voices = new DeckVoices(command, ramp, Math.floor(FADE_SECONDS * command.sampleRateHz));
    if (command.keepsPlace && this.#voices) {
      this.#next = voices;
      this.#nextLoad = command.load;
      // Places would mean something else meanwhile.
      if (command.sampleRateHz !== this.sampleRateHz) this.#exchange();
      return;
    }
    this.#clear();
    this.#voices = voices;
    this.load = command.load;
    this.#sound.setVoices(voices);
    this.#sound.jump(0);
  }

  #clear(): void {
    this.#sound.setVoices(null);
    this.#sound.setLoop(null);
    this.#sound.jump(0);
    this.#platter.free();
    this.#voices = null;
    this.#next = null;
    this.#loop = null;
    this.#wantsToPlay = false;
    this.#hasEnded = false;
    this.#isStarved = false;
    this.#bend = 1;
    this.#shadow = 0;
    this.grid = noGrid;
  }

  #voicesOf(load: number): DeckVoices | null {
    if (this.#next && load === this.#nextLoad) return this.#next;
    return load === this.load ? this.#voices : null;
  }

  /** Goes over to new voices of the same song as soon as they can go on from here. */
  #takeNext(): void {
    if (!this.#next) return;
    const from = Math.floor(this.frame);
    const need = Math.ceil(RESUME_SECONDS * 2 * this.sampleRateHz);
    const loop = this.#loop;
    const isHere =
      this.#next.isLoaded(from, from + need) &&
      (!loop || this.#next.isLoaded(Math.floor(loop.startFrame), Math.ceil(loop.startFrame) + need));
    if (isHere || !this.#sound.isAudible) this.#exchange();
  }

  #exchange(): void {
    const next = this.#next;
    if (!next) return;
    const { frame } = this;
    const ratio = next.sampleRateHz / this.sampleRateHz;
    const loop = this.#loop;
    this.#next = null;
    this.#voices = next;
    this.load = this.#nextLoad;
    this.#sound.setVoices(next);
    if (ratio === 1) return;
    this.#shadow *= ratio;
    this.#loop = loop && { startFrame: loop.startFrame * ratio, endFrame: loop.endFrame * ratio };
    this.#sound.setLoop(null);
    this.#sound.jump(frame * ratio);
    this.#sound.setLoop(this.#loop);
  }

  #seek(frame: number, isPhaseKept: boolean): void {
    if (!this.#voices) return;
    const rateHz = this.sampleRateHz;
    const isKept = isPhaseKept && this.#wantsToPlay;
    this.#sound.jump(this.#held(isKept ? this.grid.inPhase(frame / rateHz, this.seconds) * rateHz : frame));
    this.#hasEnded = false;
  }

  #setGains(gains: readonly number[]): void {
    const voices = this.#newest;
    if (!voices) return;
    const isUnheard = this.#next !== null || !this.#sound.isAudible;
    // What key lock has read ahead would sound on for a tenth of a second: a press is to be heard at once.
    const isCut = !isUnheard && this.#motion.isLocked && voices.isLeap(gains);
    if (isCut) this.#sound.cut();
    voices.setGains(gains, isUnheard || isCut);
  }

  #setLoop(loop: FrameLoop | null): void {
    const wasLooping = this.#loop !== null;
    this.#loop = loop;
    this.#sound.setLoop(loop);
    if (wasLooping && !loop && this.#isSlipping) this.#return();
  }

  #slip(isOn: boolean): void {
    if (isOn === this.#isSlipping) return;
    this.#isSlipping = isOn;
    if (isOn) this.#shadow = this.frame;
    else this.#return();
  }

  #scratch(rate: number | null): void {
    if (!this.#voices) return;
    this.#platter.hold(rate);
    if (rate !== null) this.#hasEnded = false;
    else if (this.#isSlipping) {
      this.#platter.free();
      this.#return();
    }
  }

  /** Goes on where the deck would be. */
  #return(): void {
    if (Math.abs(this.frame - this.#shadow) > SAME_FRAMES) this.#sound.jump(this.#held(this.#shadow));
  }

  #held(frame: number): number {
    return Math.min(this.#frames, Math.max(0, frame));
  }
}

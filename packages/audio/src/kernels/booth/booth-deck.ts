import { BeatGrid } from './beat-grid.ts';
import type { BoothCommand, DeckTransport, FrameLoop } from './booth-messages.ts';
import { BLOCK_FRAMES, DeckSound, type Motion } from './deck-sound.ts';
import { Platter } from './platter.ts';
import { Slip } from './slip.ts';
import { VoiceBay } from './voice-bay.ts';

/** After running dry, so much has to be there before it goes on: less would stutter. */
const RESUME_SECONDS = 0.25;
/** Frames of the song for a sample, below which it hardly turns. */
const SLOW_STEP = 0.1;
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
  readonly #bay: VoiceBay;
  readonly #sound: DeckSound;
  readonly #platter: Platter;
  readonly #slip = new Slip();
  readonly #motion: Motion = { isSounding: false, isLocked: false, step: 0, semitones: 0 };
  #loop: FrameLoop | null = null;
  #wantsToPlay = false;
  #hasEnded = false;
  #isStarved = false;
  #isKeyLocked = false;
  #semitones = 0;
  #bend = 1;
  #loudness = 1;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.#bay = new VoiceBay(outputRateHz);
    this.#sound = new DeckSound(outputRateHz);
    this.#platter = new Platter(outputRateHz);
  }

  /** What it is doing. */
  get transport(): DeckTransport {
    if (!this.#bay.voices) return 'empty';
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    return this.#isStarved ? 'buffering' : 'playing';
  }

  /** Where it is, in sample frames. */
  get frame(): number {
    return this.#sound.frame;
  }

  /** Where it is, in seconds of the song. */
  get seconds(): number {
    return this.#sound.frame / this.#bay.sampleRateHz;
  }

  /** Where it would be without loops, jumps and hand, while it slips. */
  get slipFrame(): number | null {
    return this.#slip.isOn && this.#bay.voices ? this.#slip.frame : null;
  }

  /** Its pace now in multiples of the recorded one; 0 while it waits. */
  get rate(): number {
    return this.#isStarved && !this.#platter.isTurning ? 0 : this.#platter.rate;
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
    return this.#bay.voices?.peaks ?? null;
  }

  /** Number of the song that sounds. */
  get load(): number {
    return this.#bay.load;
  }

  /** Rate of the song in Hz; the output's where there is none. */
  get sampleRateHz(): number {
    return this.#bay.sampleRateHz;
  }

  /** Frames of the song for a sample of output, as recorded. */
  get #step(): number {
    return this.#bay.sampleRateHz / this.#outputRateHz;
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
        this.#bay.store(command.load, command.voice, command.index, command.samples);
        break;
      case 'drop':
        this.#bay.drop(command.load, command.voice, command.index);
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
        if (!this.#bay.isExpecting) this.#sound.cut();
        this.#bay.newest?.setLoop(command.voice, command.loop);
        break;
      case 'slip':
        this.#setSlip(command.isOn);
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
    if (!this.#bay.voices) return;
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
    const isMoving = this.#bay.voices !== null && (this.#wantsToPlay || platter.isTurning);
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
    if (this.#wantsToPlay && (platter.isTurning || !this.#isStarved)) {
      this.#slip.pass(rate * this.#step * frames, this.#bay.frames);
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
    if (!this.#bay.voices) return;
    const isBeyond = this.#sound.clamp();
    if (isBeyond && this.#platter.isTurning) this.#platter.stop();
    if (this.frame < this.#bay.frames || !this.#wantsToPlay || this.#platter.isHeld) return;
    this.#sound.cut();
    this.#platter.free();
    this.#wantsToPlay = false;
    this.#isStarved = false;
    this.#hasEnded = true;
  }

  #take(command: DeckCommand & { type: 'load' }): void {
    const isOther = !command.keepsPlace || !this.#bay.voices;
    if (isOther) this.#clear();
    const rateHz = this.#bay.sampleRateHz;
    this.#bay.take(command);
    if (isOther) this.#sound.setVoices(this.#bay.voices);
    // Places would mean something else meanwhile.
    else if (command.sampleRateHz !== rateHz) this.#exchange();
  }

  #clear(): void {
    this.#sound.setVoices(null);
    this.#sound.setLoop(null);
    this.#sound.jump(0);
    this.#platter.free();
    this.#bay.clear();
    this.#loop = null;
    this.#wantsToPlay = false;
    this.#hasEnded = false;
    this.#isStarved = false;
    this.#bend = 1;
    this.#slip.rewind();
    this.grid = noGrid;
  }

  /** Goes over to new voices of the same song as soon as they can go on from here. */
  #takeNext(): void {
    if (!this.#bay.isExpecting) return;
    if (!this.#sound.isAudible || this.#bay.canExchange(this.frame, this.#loop)) this.#exchange();
  }

  #exchange(): void {
    const { frame } = this;
    const before = this.#bay.sampleRateHz;
    const loop = this.#loop;
    this.#bay.exchange();
    this.#sound.setVoices(this.#bay.voices);
    const ratio = this.#bay.sampleRateHz / before;
    if (ratio === 1) return;
    this.#slip.scale(ratio);
    this.#loop = loop && { startFrame: loop.startFrame * ratio, endFrame: loop.endFrame * ratio };
    this.#sound.setLoop(null);
    this.#sound.jump(frame * ratio);
    this.#sound.setLoop(this.#loop);
  }

  #seek(frame: number, isPhaseKept: boolean): void {
    if (!this.#bay.voices) return;
    const rateHz = this.sampleRateHz;
    const isKept = isPhaseKept && this.#wantsToPlay;
    this.#sound.jump(this.#held(isKept ? this.grid.inPhase(frame / rateHz, this.seconds) * rateHz : frame));
    this.#hasEnded = false;
  }

  #setGains(gains: readonly number[]): void {
    const voices = this.#bay.newest;
    if (!voices) return;
    const isUnheard = this.#bay.isExpecting || !this.#sound.isAudible;
    const { isLocked, step } = this.#motion;
    // What key lock has read ahead would sound on for a tenth of a second: a press is to be heard at once. Under a record
    // that hardly turns a fader would move in steps.
    const isCut = !isUnheard && (isLocked ? voices.isLeap(gains) : Math.abs(step) < SLOW_STEP);
    if (isCut) this.#sound.cut();
    voices.setGains(gains, isUnheard || isCut);
  }

  #setLoop(loop: FrameLoop | null): void {
    const wasLooping = this.#loop !== null;
    this.#loop = loop;
    this.#sound.setLoop(loop);
    if (wasLooping && !loop && this.#slip.isOn) this.#return();
  }

  #setSlip(isOn: boolean): void {
    if (isOn === this.#slip.isOn) return;
    if (isOn) this.#slip.start(this.frame);
    else this.#return();
    this.#slip.isOn = isOn;
  }

  #scratch(rate: number | null): void {
    if (!this.#bay.voices) return;
    this.#platter.hold(rate);
    if (rate !== null) this.#hasEnded = false;
    else if (this.#slip.isOn) {
      this.#platter.free();
      this.#return();
    }
  }

  /** Goes on where the deck would be. */
  #return(): void {
    const place = this.#slip.placeIn(this.loop);
    if (Slip.isApart(this.frame, place)) this.#sound.jump(this.#held(place));
  }

  #held(frame: number): number {
    return Math.min(this.#bay.frames, Math.max(0, frame));
  }
}

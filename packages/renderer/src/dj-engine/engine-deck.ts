import { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import { BLOCK_FRAMES, type Motion } from '../playback/source-playback.ts';
import { DeckPosition } from './deck-position.ts';
import type { DeckCommand, DeckTransport, PlatterStop } from './dj-engine-messages.ts';
import { Platter } from './platter.ts';

/** Audio that has to be loaded before playback resumes after running dry: less would stutter. */
const RESUME_SECONDS = 0.25;
/** Speed at which a record is thrown backwards, as a factor of the recorded one. */
const SPIN_BACK_RATE = -4;
const RATES = { least: 0.1, most: 4 };

/**
 * A deck of the engine: its transport and, in `position`, its playback. The output before the channel strip is in
 * `left` and `right`.
 *
 * Where samples are missing it waits, and resumes when they arrive. `process` allocates nothing.
 */
export class EngineDeck {
  readonly left = new Float32Array(BLOCK_FRAMES);
  readonly right = new Float32Array(BLOCK_FRAMES);
  readonly position: DeckPosition;
  /** `id` of the last transport command that was carried out. */
  commandId = 0;
  /** Whether it follows the tempo of the other deck. */
  isFollowing = false;
  /** Tempo factor of the tempo fader. */
  tempo = 1;
  /** Position at the start of the last block, and frames of the song per output sample in it; 0 if it did not move. */
  blockFrame = 0;
  blockStep = 0;

  readonly #outputRateHz: number;
  readonly #platter: Platter;
  readonly #motion: Motion = { isPlaying: false, isKeyLocked: false, step: 0, semitones: 0 };
  #wantsToPlay = false;
  #hasEnded = false;
  #isStarved = false;
  #isKeyLocked = false;
  #semitones = 0;
  #bend = 1;
  #gain = 1;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.position = new DeckPosition(outputRateHz);
    this.#platter = new Platter(outputRateHz);
  }

  /** State of the transport. */
  get transport(): DeckTransport {
    if (!this.position.slot.sources) return 'empty';
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    return this.#isStarved ? 'buffering' : 'playing';
  }

  /** Present tempo factor; 0 while it waits. */
  get rate(): number {
    return this.#isStarved && !this.#platter.isManual ? 0 : this.#platter.rate;
  }

  /** Whether it plays at the motor's speed, so that the other deck can follow. */
  get isSteady(): boolean {
    return this.#wantsToPlay && !this.#isStarved && !this.#platter.isManual;
  }

  /** Whether it should play. */
  get isPlaying(): boolean {
    return this.#wantsToPlay;
  }

  /** Tempo factor of a nudged jog wheel. */
  get bend(): number {
    return this.#bend;
  }

  /** Frames of the song per output sample at the recorded tempo. */
  get #step(): number {
    return this.position.slot.sampleRateHz / this.#outputRateHz;
  }

  /** Carries out a command. */
  apply(command: DeckCommand): void {
    if ('id' in command) this.commandId = command.id;
    const position = this.position;
    switch (command.type) {
      case 'load':
        if (position.take(command)) this.#reset();
        break;
      case 'unload':
        position.clear();
        this.#reset();
        break;
      case 'chunk':
        position.slot.store(command.load, command.source, command.index, command.samples);
        break;
      case 'drop':
        position.slot.drop(command.load, command.source, command.index);
        break;
      case 'grid':
        position.grid = new BeatLookup(command.beats, command.downbeats);
        // Finds the bars here, because it allocates.
        position.grid.barLengthAt(0);
        break;
      case 'pause':
        this.#wantsToPlay = false;
        break;
      case 'seek':
        this.#seek(command.frame, command.keepsPhase);
        break;
      case 'loop':
        position.setLoop(command.loop);
        break;
      case 'source-loop':
        position.setSourceLoop(command.source, command.loop);
        break;
      case 'slip':
        position.setSlip(command.isOn);
        break;
      case 'tempo':
        this.tempo = Math.min(RATES.most, Math.max(RATES.least, command.rate));
        this.#isKeyLocked = command.isKeyLocked;
        this.#semitones = command.semitones;
        break;
      case 'scratch':
        this.#scratch(command.rate);
        break;
      case 'stop-platter':
        this.#stopPlatter(command);
        break;
      case 'bend':
        this.#bend = Math.min(2, Math.max(0.5, command.factor));
        break;
      case 'source-gains':
        this.#setGains(command.gains);
        break;
    }
  }

  /** Starts playback: after the end from the beginning of the song or of its loop. */
  play(id: number): void {
    this.commandId = id;
    if (!this.position.slot.sources) return;
    if (this.#hasEnded) this.position.rewind();
    this.#hasEnded = false;
    this.#wantsToPlay = true;
  }

  /** Renders the next samples. @param rate tempo factor of the motor */
  process(frames: number, rate: number): void {
    const position = this.position;
    const platter = this.#platter;
    position.swapWhenReady();
    platter.move(frames, this.#wantsToPlay ? rate : 0);
    const motion = this.#motion;
    const isMoving = position.slot.sources !== null && (this.#wantsToPlay || platter.isManual);
    motion.step = platter.rate * this.#step;
    motion.isKeyLocked = !platter.isManual && this.#needsKeyLock(rate);
    motion.semitones = this.#semitones + (this.#isKeyLocked ? 0 : 12 * Math.log2(rate));
    const seconds = this.#isStarved ? RESUME_SECONDS : frames / this.#outputRateHz;
    motion.isPlaying = isMoving && position.playback.isReady(motion.step, motion.isKeyLocked, seconds);
    this.#isStarved = isMoving && !motion.isPlaying;
    if (this.#isStarved && !platter.isManual) motion.step = 0;
    this.blockFrame = position.frame;
    this.blockStep = motion.step;
    position.playback.process(this.left, this.right, frames, motion);
    this.#applyPlatterGain(frames);
    if (this.#wantsToPlay && (platter.isManual || !this.#isStarved)) {
      position.advanceSlip(rate * this.#step * frames);
    }
    this.#stopAtEnds();
  }

  #needsKeyLock(rate: number): boolean {
    if (this.#semitones !== 0) return true;
    return this.#isKeyLocked && (rate !== 1 || this.isFollowing);
  }

  /** Fades a scratched record out as it slows down to a stop. */
  #applyPlatterGain(frames: number): void {
    const from = this.#gain;
    const to = this.#platter.gain;
    this.#gain = to;
    if (from === 1 && to === 1) return;
    for (let n = 0; n < frames; n++) {
      const gain = from + (to - from) * ((n + 1) / frames);
      this.left[n]! *= gain;
      this.right[n]! *= gain;
    }
  }

  #stopAtEnds(): void {
    const { slot, playback } = this.position;
    if (!slot.sources) return;
    const isBeyond = playback.clamp();
    if (isBeyond && this.#platter.isManual) this.#platter.stop();
    if (playback.frame < slot.frames || !this.#wantsToPlay || this.#platter.isHeld) return;
    playback.cut();
    this.#platter.release();
    this.#wantsToPlay = false;
    this.#isStarved = false;
    this.#hasEnded = true;
  }

  /** Stops at the ends of the song after another one was loaded. */
  #reset(): void {
    this.#platter.release();
    this.#wantsToPlay = false;
    this.#hasEnded = false;
    this.#isStarved = false;
    this.#bend = 1;
  }

  #seek(frame: number, keepsPhase: boolean): void {
    if (!this.position.slot.sources) return;
    this.position.seek(frame, keepsPhase && this.#wantsToPlay);
    this.#hasEnded = false;
  }

  #setGains(gains: readonly number[]): void {
    const { slot, playback } = this.position;
    const sources = slot.latest;
    if (sources) playback.setGains(sources, gains);
  }

  #stopPlatter({ motion, seconds }: PlatterStop): void {
    if (!this.position.slot.sources) return;
    this.#platter.stopIn(motion === 'brake' ? this.#platter.rate : SPIN_BACK_RATE, seconds);
    if (motion === 'spin_back') this.#hasEnded = false;
  }

  #scratch(rate: number | null): void {
    if (!this.position.slot.sources) return;
    this.#platter.hold(rate);
    if (rate !== null) this.#hasEnded = false;
    else if (this.position.isSlipping) {
      this.#platter.release();
      this.position.slipBack();
    }
  }
}

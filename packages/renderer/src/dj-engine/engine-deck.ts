import { BLOCK_FRAMES, type Motion } from '../playback/source-playback.ts';
import { BeatGrid } from './beat-grid.ts';
import { SongPlace } from './deck-position.ts';
import type { DeckCommand, DeckTransport } from './dj-engine-messages.ts';
import { Platter } from './platter.ts';

/** After running dry, so much has to be there before it goes on: less would stutter. */
const RESUME_SECONDS = 0.25;
const RATES = { least: 0.1, most: 4 };

/**
 * One deck: what it does, and in `place` where it does it. Its sound, before its strip, is left in `left` and `right`.
 *
 * Where samples are missing it waits, and goes on by itself when they have come.
 * `process` allocates nothing.
 */
export class BoothDeck {
  readonly left = new Float32Array(BLOCK_FRAMES);
  readonly right = new Float32Array(BLOCK_FRAMES);
  readonly place: SongPlace;
  /** `id` of the last command of the transport that was carried out. */
  commandId = 0;
  /** Whether its pace is another deck's. */
  isFollowing = false;
  /** Pace of its motor as the tempo fader has it. */
  tempo = 1;
  /** Where the block that was made last began, and frames of the song for a sample of it; 0 where it stood. */
  blockFrame = 0;
  blockStep = 0;

  readonly #outputRateHz: number;
  readonly #platter: Platter;
  readonly #motion: Motion = { isSounding: false, isLocked: false, step: 0, semitones: 0 };
  #wantsToPlay = false;
  #hasEnded = false;
  #isStarved = false;
  #isKeyLocked = false;
  #semitones = 0;
  #bend = 1;
  #loudness = 1;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.place = new SongPlace(outputRateHz);
    this.#platter = new Platter(outputRateHz);
  }

  /** What it is doing. */
  get transport(): DeckTransport {
    if (!this.place.bay.voices) return 'empty';
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    return this.#isStarved ? 'buffering' : 'playing';
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

  /** Frames of the song for a sample of output, as recorded. */
  get #step(): number {
    return this.place.bay.sampleRateHz / this.#outputRateHz;
  }

  /** Does what the page asks. */
  apply(command: DeckCommand): void {
    if ('id' in command) this.commandId = command.id;
    const place = this.place;
    switch (command.type) {
      case 'load':
        if (place.take(command)) this.#rest();
        break;
      case 'unload':
        place.clear();
        this.#rest();
        break;
      case 'chunk':
        place.bay.store(command.load, command.voice, command.index, command.samples);
        break;
      case 'drop':
        place.bay.drop(command.load, command.voice, command.index);
        break;
      case 'grid':
        place.grid = new BeatGrid(command.beats, command.downbeats);
        break;
      case 'pause':
        this.#wantsToPlay = false;
        break;
      case 'seek':
        this.#seek(command.frame, command.isPhaseKept);
        break;
      case 'loop':
        place.setLoop(command.loop);
        break;
      case 'voice-loop':
        place.setVoiceLoop(command.voice, command.loop);
        break;
      case 'slip':
        place.setSlip(command.isOn);
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
    if (!this.place.bay.voices) return;
    if (this.#hasEnded) this.place.rewind();
    this.#hasEnded = false;
    this.#wantsToPlay = true;
  }

  /** Makes the next samples. @param rate pace of the motor where it runs, in multiples of the recorded one */
  process(frames: number, rate: number): void {
    const place = this.place;
    const platter = this.#platter;
    place.takeNext();
    platter.move(frames, this.#wantsToPlay ? rate : 0);
    const motion = this.#motion;
    const isMoving = place.bay.voices !== null && (this.#wantsToPlay || platter.isTurning);
    motion.step = platter.rate * this.#step;
    motion.isLocked = !platter.isTurning && this.#needsLock(rate);
    motion.semitones = this.#semitones + (this.#isKeyLocked ? 0 : 12 * Math.log2(rate));
    const seconds = this.#isStarved ? RESUME_SECONDS : frames / this.#outputRateHz;
    motion.isSounding = isMoving && place.sound.isReady(motion.step, motion.isLocked, seconds);
    this.#isStarved = isMoving && !motion.isSounding;
    if (this.#isStarved && !platter.isTurning) motion.step = 0;
    this.blockFrame = place.frame;
    this.blockStep = motion.step;
    place.sound.process(this.left, this.right, frames, motion);
    this.#soften(frames);
    if (this.#wantsToPlay && (platter.isTurning || !this.#isStarved)) {
      place.passSlip(rate * this.#step * frames);
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
    const { bay, sound } = this.place;
    if (!bay.voices) return;
    const isBeyond = sound.clamp();
    if (isBeyond && this.#platter.isTurning) this.#platter.stop();
    if (sound.frame < bay.frames || !this.#wantsToPlay || this.#platter.isHeld) return;
    sound.cut();
    this.#platter.free();
    this.#wantsToPlay = false;
    this.#isStarved = false;
    this.#hasEnded = true;
  }

  /** Another song, or none, lies on it and does not turn. */
  #rest(): void {
    this.#platter.free();
    this.#wantsToPlay = false;
    this.#hasEnded = false;
    this.#isStarved = false;
    this.#bend = 1;
  }

  #seek(frame: number, isPhaseKept: boolean): void {
    if (!this.place.bay.voices) return;
    this.place.seek(frame, isPhaseKept && this.#wantsToPlay);
    this.#hasEnded = false;
  }

  #setGains(gains: readonly number[]): void {
    const { bay, sound } = this.place;
    const voices = bay.newest;
    if (voices) sound.setGains(voices, gains);
  }

  #scratch(rate: number | null): void {
    if (!this.place.bay.voices) return;
    this.#platter.hold(rate);
    if (rate !== null) this.#hasEnded = false;
    else if (this.place.isSlipping) {
      this.#platter.free();
      this.place.slipBack();
    }
  }
}

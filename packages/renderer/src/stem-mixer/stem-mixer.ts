import { SafetyLimiter } from '../gain/safety-limiter.ts';
import { SmoothGain } from '../gain/smooth-gain.ts';
import { StemVoice } from '../sources/chunked-source.ts';
import type { StemMixerCommand, TransportState } from './stem-mixer-messages.ts';

/** Starts, stops, jumps and loop seams fade over so many seconds. */
export const FADE_SECONDS = 0.005;
/** Faders reach a new value in so many seconds. */
export const GAIN_RAMP_SECONDS = 0.01;
/** After running dry, so much has to be there before it goes on: less would stutter. */
const RESUME_SECONDS = 0.25;

/**
 * Plays all stems of a song from one place: `stems → faders → sum → master → limiter`.
 *
 * There is one position for all, so the stems cannot drift apart; where the samples of any stem are missing, all wait.
 * Starts, stops, seeks and loop seams are crossfades of 5 ms between the place left and the place reached, and a loop
 * lasts exactly `endFrame − startFrame`. Position and lengths are in frames of the stems; an output of another rate is
 * interpolated, and so is a song that is played faster or slower: as on tape, so that the pitch goes along, until it is put
 * right behind the mixer. `process` allocates nothing.
 */
export class StemMixer {
  /** Highest absolute sample of each stem since it was last set to 0. */
  stemPeaks = new Float32Array(0);
  /** Highest absolute sample that left since it was last set to 0. */
  outputPeak = 0;
  /** `id` of the last command of the transport that was carried out. */
  commandId = 0;

  readonly #outputRateHz: number;
  readonly #fadeStep: number;
  readonly #rampFrames: number;
  readonly #limiter: SafetyLimiter;
  readonly #master: SmoothGain;
  #stems: StemVoice[] = [];
  #gains: SmoothGain[] = [];
  #step = 1;
  #sampleRateHz: number;
  #rate = 1;
  #frames = 0;
  #position = 0;
  #wantsToPlay = false;
  #hasEnded = false;
  #isStarved = false;
  #fade = 0;
  #fadeTarget = 0;
  #leftPosition = 0;
  #leftFade = 0;
  #loopStart = 0;
  #loopEnd = 0;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
    this.#sampleRateHz = outputRateHz;
    this.#fadeStep = 1 / Math.max(1, Math.floor(FADE_SECONDS * outputRateHz));
    this.#rampFrames = Math.floor(GAIN_RAMP_SECONDS * outputRateHz);
    this.#limiter = new SafetyLimiter(outputRateHz);
    this.#master = new SmoothGain(1, this.#rampFrames);
  }

  /** Where it stands, in frames of the stems. */
  get position(): number {
    return this.#position;
  }

  /** Seconds of the song that pass in a second of sound. */
  get rate(): number {
    return this.#rate;
  }

  /** What the transport is doing. */
  get transport(): TransportState {
    if (!this.#wantsToPlay) return this.#hasEnded ? 'ended' : 'paused';
    return this.#isStarved ? 'buffering' : 'playing';
  }

  /** Output samples between what is mixed and what is heard. */
  get delayFrames(): number {
    return this.#limiter.delayFrames;
  }

  /** Does what the page asks. */
  apply(command: StemMixerCommand): void {
    if ('id' in command) this.commandId = command.id;
    switch (command.type) {
      case 'setup':
        this.#stems = command.stems.map((shape) => new StemVoice(shape));
        this.#gains = command.stems.map(() => new SmoothGain(1, this.#rampFrames));
        this.stemPeaks = new Float32Array(command.stems.length);
        this.#frames = Math.max(0, ...command.stems.map((shape) => shape.frames));
        this.#sampleRateHz = command.sampleRateHz;
        this.#setRate(this.#rate);
        this.#jump(0);
        break;
      case 'chunk':
        this.#stems[command.stem]?.store(command.index, command.samples);
        break;
      case 'drop':
        this.#stems[command.stem]?.drop(command.index);
        break;
      case 'play':
        if (this.#hasEnded) this.#jump(this.#loopEnd > 0 ? this.#loopStart : 0);
        this.#wantsToPlay = true;
        this.#isStarved = !this.#isReady(RESUME_SECONDS);
        break;
      case 'pause':
        this.#wantsToPlay = false;
        break;
      case 'seek':
        this.#jump(Math.min(this.#frames, Math.max(0, Math.round(command.frame))));
        break;
      case 'loop':
        this.#loopStart = command.loop?.startFrame ?? 0;
        this.#loopEnd = Math.min(command.loop?.endFrame ?? 0, this.#frames);
        break;
      case 'rate':
        this.#setRate(command.rate);
        break;
      case 'gains':
        command.gains.forEach((gain, stem) => this.#gains[stem]?.set(gain, this.#isSilent()));
        break;
      case 'master':
        this.#master.set(command.gain, this.#isSilent());
        break;
    }
  }

  /** Makes the next `frames` samples of output. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    this.#aim(frames);
    for (let i = 0; i < frames; i++) {
      left[i] = 0;
      right[i] = 0;
      if (this.#fade !== this.#fadeTarget) this.#moveFade();
      if (this.#isSilent()) continue;
      this.#mix(left, right, i);
      if (this.#leftFade > 0) {
        this.#leftFade = Math.max(0, this.#leftFade - this.#fadeStep);
        this.#leftPosition += this.#step;
      }
      // Also while fading out, so that the last samples before a stop are the song's own.
      if (this.#fade > 0) this.#advance(frames);
    }
    this.#limiter.process(left, right, frames);
    for (let i = 0; i < frames; i++) {
      this.outputPeak = Math.max(this.outputPeak, Math.abs(left[i] ?? 0), Math.abs(right[i] ?? 0));
    }
  }

  #setRate(rate: number): void {
    this.#rate = rate;
    this.#step = (this.#sampleRateHz / this.#outputRateHz) * rate;
    // Whole steps read the samples as they are stored: from a whole place on.
    if (this.#step === 1) this.#position = Math.round(this.#position);
  }

  #isSilent(): boolean {
    return this.#fade === 0 && this.#fadeTarget === 0 && this.#leftFade === 0;
  }

  /** Decides whether this block is heard: only where the samples for it and for a fade after it are there. */
  #aim(frames: number): void {
    if (this.#isStarved) this.#isStarved = !this.#isReady(RESUME_SECONDS);
    else if (this.#wantsToPlay) this.#isStarved = !this.#isReady(frames / this.#outputRateHz + FADE_SECONDS);
    this.#fadeTarget = this.#wantsToPlay && !this.#isStarved ? 1 : 0;
  }

  #isReady(seconds: number): boolean {
    const from = Math.floor(this.#position);
    const need = Math.ceil(seconds * this.#outputRateHz * this.#step) + 4;
    const loops = this.#loopEnd > from;
    const to = loops ? Math.min(from + need, this.#loopEnd) : from + need;
    for (const stem of this.#stems) {
      if (!stem.isLoaded(from, to)) return false;
      if (loops && from + need > this.#loopEnd) {
        const rest = from + need - this.#loopEnd;
        if (!stem.isLoaded(this.#loopStart, Math.min(this.#loopEnd, this.#loopStart + rest))) return false;
      }
    }
    return this.#stems.length > 0;
  }

  #moveFade(): void {
    this.#fade =
      this.#fade < this.#fadeTarget
        ? Math.min(this.#fadeTarget, this.#fade + this.#fadeStep)
        : Math.max(this.#fadeTarget, this.#fade - this.#fadeStep);
  }

  #mix(left: Float32Array, right: Float32Array, i: number): void {
    const master = this.#master.next();
    let sumLeft = 0;
    let sumRight = 0;
    for (let s = 0; s < this.#stems.length; s++) {
      const stem = this.#stems[s];
      const gain = this.#gains[s]?.next() ?? 0;
      if (!stem) continue;
      this.#read(stem, this.#position);
      let l = stem.left * this.#fade;
      let r = stem.right * this.#fade;
      if (this.#leftFade > 0) {
        this.#read(stem, this.#leftPosition);
        l += stem.left * this.#leftFade;
        r += stem.right * this.#leftFade;
      }
      l *= gain;
      r *= gain;
      sumLeft += l;
      sumRight += r;
      const peak = Math.max(Math.abs(l), Math.abs(r));
      if (peak > (this.stemPeaks[s] ?? 0)) this.stemPeaks[s] = peak;
    }
    left[i] = sumLeft * master;
    right[i] = sumRight * master;
  }

  #read(stem: StemVoice, position: number): void {
    if (this.#step === 1) stem.readWhole(position);
    else stem.readBetween(position);
  }

  #advance(frames: number): void {
    const before = this.#position;
    this.#position += this.#step;
    if (this.#loopEnd > 0 && before < this.#loopEnd && this.#position >= this.#loopEnd) {
      this.#jump(this.#loopStart + (this.#position - this.#loopEnd));
      this.#aim(frames);
    } else if (this.#position >= this.#frames) {
      this.#position = this.#frames;
      this.#wantsToPlay = false;
      this.#hasEnded = true;
      this.#fade = 0;
      this.#fadeTarget = 0;
    }
  }

  /** Leaves the present place by a fade-out and goes on at `position` with a fade-in: together a crossfade. */
  #jump(position: number): void {
    if (this.#fade > 0) {
      this.#leftPosition = this.#position;
      this.#leftFade = this.#fade;
    }
    this.#fade = 0;
    this.#position = position;
    this.#hasEnded = false;
  }
}

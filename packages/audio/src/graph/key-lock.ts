import type { Scope } from '../base/scope.ts';
import { openStretcher, type Stretcher } from './stretcher.ts';

/** Between the straight way and the one through the stretcher. */
const FADE_SECONDS = 0.01;

/**
 * Changes tempo and key apart from each other. The mixer plays faster or slower as a tape does; behind it the pitch is
 * put right, and moved by the key. At the recorded tempo and key the sound goes straight on, sample for sample.
 *
 * `mixer → output`, or `mixer (rate) → stretcher (semitones − 12·log₂ rate) → output`
 */
export class KeyLock {
  readonly #context: AudioContext;
  readonly #scope: Scope;
  readonly #source: AudioNode;
  readonly #setRate: (rate: number) => void;
  readonly #straight: GainNode;
  readonly #changed: GainNode;
  #stretcher: Stretcher | null = null;
  #wanted = { rate: 1, semitones: 0 };
  #way: 'straight' | 'filling' | 'changed' = 'straight';
  #stopFilling = () => {};

  /** `setRate` tells the source how fast to play. */
  constructor(context: AudioContext, scope: Scope, source: AudioNode, setRate: (rate: number) => void) {
    this.#context = context;
    this.#scope = scope;
    this.#source = source;
    this.#setRate = setRate;
    this.#straight = scope.node(context.createGain());
    this.#changed = scope.node(context.createGain());
    this.#changed.gain.value = 0;
    source.connect(this.#straight).connect(context.destination);
    this.#changed.connect(context.destination);
  }

  /** So much later than the source makes it a sound leaves. */
  get delaySeconds(): number {
    return this.#way === 'changed' ? (this.#stretcher?.delaySeconds ?? 0) : 0;
  }

  /**
   * Goes over to `rate` (1 is as recorded) and `semitones` up.
   *
   * @throws Error in words where the stretcher cannot be loaded
   */
  async set(rate: number, semitones: number): Promise<void> {
    this.#wanted = { rate, semitones };
    if (!this.#isChange()) {
      this.#goStraight();
      return;
    }
    const stretcher = await openStretcher(this.#context);
    // Whoever moved the slider meanwhile is answered by what is wanted now.
    if (this.#scope.isDisposed || !this.#isChange()) return;
    if (!this.#stretcher) this.#connect(stretcher);
    if (this.#way === 'changed') this.#tune(stretcher);
    if (this.#way !== 'straight') return;
    // It is heard once it is full, so that no silence comes between.
    this.#way = 'filling';
    stretcher.shift(0);
    this.#stopFilling = this.#scope.after(1000 * stretcher.delaySeconds, () => {
      this.#way = 'changed';
      this.#fade(this.#straight, 0);
      this.#fade(this.#changed, 1);
      this.#tune(stretcher);
    });
  }

  #isChange(): boolean {
    return this.#wanted.rate !== 1 || this.#wanted.semitones !== 0;
  }

  #connect(stretcher: Stretcher): void {
    this.#stretcher = stretcher;
    this.#source.connect(stretcher.node);
    stretcher.node.connect(this.#changed);
    this.#scope.own(() => {
      stretcher.shift(null);
      stretcher.node.disconnect(this.#changed);
    });
  }

  #tune(stretcher: Stretcher): void {
    const { rate, semitones } = this.#wanted;
    this.#setRate(rate);
    // What has the new rate is in the middle of the stretcher after half of its time.
    this.#scope.after(500 * stretcher.delaySeconds, () => {
      if (this.#way === 'changed') stretcher.shift(semitones - 12 * Math.log2(rate));
    });
  }

  #goStraight(): void {
    if (this.#way === 'straight') return;
    this.#stopFilling();
    this.#way = 'straight';
    this.#setRate(1);
    this.#fade(this.#changed, 0);
    this.#fade(this.#straight, 1);
    this.#scope.after(1000 * FADE_SECONDS + 20, () => {
      if (this.#way === 'straight') this.#stretcher?.shift(null);
    });
  }

  #fade({ gain }: GainNode, value: number): void {
    const now = this.#context.currentTime;
    gain.cancelScheduledValues(now);
    gain.setValueAtTime(gain.value, now);
    gain.linearRampToValueAtTime(value, now + FADE_SECONDS);
  }
}

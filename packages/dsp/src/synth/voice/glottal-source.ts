import { smoothing } from '../filter.ts';
import type { Random } from '../random.ts';
import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';

/** Parameters of the vocal folds. */
export interface GlottalManner {
  /** Fraction of the period in which they are open, 0.4 (pressed) to 0.8 (breathy). */
  readonly openQuotient: number;
  /** Random variation of the length and of the strength of each period, as fractions. */
  readonly jitter: number;
  readonly shimmer: number;
  /** Frequency above which the spectrum falls by a further 6 dB an octave. */
  readonly tiltHz: number;
  /** Level of the breath noise while the folds are open. */
  readonly breath: number;
}

/**
 * Generates the voice source: the derivative of the glottal flow, and noise modulated by the flow.
 *
 * The only discontinuity, at closure, is rounded over two samples so that it does not alias.
 *
 * @see Rosenberg, "Effect of glottal pulse shape on the quality of natural vowels", JASA 49(2B), 1971, type B
 * @see Fant, Liljencrants, Lin, "A four-parameter model of glottal flow", STL-QPSR 4/1985 (the derivative, open
 *   quotient)
 * @see Välimäki, Huovilainen, "Antialiasing oscillators in subtractive synthesis", IEEE SPM 24(2), 2007 (polyBLEP)
 */
export class GlottalSource {
  readonly #manner: GlottalManner;
  readonly #random: Random;
  readonly #tilt: number;
  #phase = 0;
  #stretch = 1;
  #strength = 1;
  #tilted = 0;
  #noiseLow = 0;
  /** Breath noise of the last sample returned by `next`. */
  aspiration = 0;

  constructor(manner: GlottalManner, random: Random) {
    this.#manner = manner;
    this.#random = random;
    this.#tilt = smoothing(1 / (2 * Math.PI * manner.tiltHz));
  }

  /** Returns the next sample at this pitch; peak about 1. */
  next(frequencyHz: number): number {
    const { openQuotient, jitter, shimmer, breath } = this.#manner;
    const step = (frequencyHz * this.#stretch) / SAMPLE_RATE_HZ;
    this.#phase += step;
    if (this.#phase >= 1) {
      this.#phase -= 1;
      this.#stretch = 1 + jitter * (this.#random() - this.#random());
      this.#strength = 1 + shimmer * (this.#random() - this.#random());
    }
    const phase = this.#phase;
    const opening = openQuotient * 0.67;
    const closing = openQuotient - opening;
    let derivative = 0;
    let flow = 0;
    if (phase < opening) {
      const fraction = phase / opening;
      flow = fraction * fraction * (3 - 2 * fraction);
      derivative = ((6 * fraction * (1 - fraction)) / opening) * closing * 0.5;
    } else if (phase < openQuotient) {
      const fraction = (phase - opening) / closing;
      flow = 1 - fraction * fraction;
      derivative = -fraction;
    }
    // The step from −1 to 0 at closure, rounded.
    const distance = (phase - openQuotient) / step;
    if (distance >= 0 && distance < 1) derivative -= 0.5 * (1 - distance) * (1 - distance);
    else if (distance < 0 && distance > -1) derivative += 0.5 * (1 + distance) * (1 + distance);
    this.#tilted += this.#tilt * (derivative * this.#strength - this.#tilted);
    const noise = this.#random() * 2 - 1;
    this.#noiseLow += 0.12 * (noise - this.#noiseLow);
    const rough = noise - this.#noiseLow;
    this.aspiration = rough;
    return this.#tilted + breath * rough * (0.15 + flow);
  }
}

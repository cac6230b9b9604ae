import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';

/**
 * One formant: a digital resonator with gain 1 at 0 Hz, so that a cascade gives the formants their natural levels.
 *
 * @see Klatt, "Software for a cascade/parallel formant synthesizer", JASA 67(3), 1980, equations 1 to 3
 */
export class Resonator {
  #a = 1;
  #b = 0;
  #c = 0;
  #first = 0;
  #second = 0;

  tune(centreHz: number, bandwidthHz: number): void {
    const radius = Math.exp((-Math.PI * bandwidthHz) / SAMPLE_RATE_HZ);
    this.#c = -radius * radius;
    this.#b = 2 * radius * Math.cos((2 * Math.PI * centreHz) / SAMPLE_RATE_HZ);
    this.#a = 1 - this.#b - this.#c;
  }

  /** Filters all values in place. */
  process(values: Float64Array): void {
    const [a, b, c] = [this.#a, this.#b, this.#c];
    let first = this.#first;
    let second = this.#second;
    for (let index = 0; index < values.length; index++) {
      const output = a * values[index]! + b * first + c * second;
      second = first;
      first = output;
      values[index] = output;
    }
    this.#first = first;
    this.#second = second;
  }
}

/** The inverse of a resonator: a notch that cancels a resonator of the same tuning (equation 4 of the same paper). */
export class Antiresonator {
  #a = 1;
  #b = 0;
  #c = 0;
  #first = 0;
  #second = 0;

  tune(centreHz: number, bandwidthHz: number): void {
    const radius = Math.exp((-Math.PI * bandwidthHz) / SAMPLE_RATE_HZ);
    const c = -radius * radius;
    const b = 2 * radius * Math.cos((2 * Math.PI * centreHz) / SAMPLE_RATE_HZ);
    this.#a = 1 / (1 - b - c);
    this.#b = -b * this.#a;
    this.#c = -c * this.#a;
  }

  /** Filters all values in place. */
  process(values: Float64Array): void {
    const [a, b, c] = [this.#a, this.#b, this.#c];
    let first = this.#first;
    let second = this.#second;
    for (let index = 0; index < values.length; index++) {
      const input = values[index]!;
      values[index] = a * input + b * first + c * second;
      second = first;
      first = input;
    }
    this.#first = first;
    this.#second = second;
  }
}

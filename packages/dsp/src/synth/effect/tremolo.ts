import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { Insert } from './insert.ts';

/** Stereo tremolo of an electric piano: the levels of the sides alternate. */
export class Tremolo implements Insert {
  readonly #rateHz: number;
  readonly #depth: number;

  /** @param depth 0 to 1 */
  constructor(rateHz: number, depth: number) {
    this.#rateHz = rateHz;
    this.#depth = depth;
  }

  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void {
    const radiansPerSample = (2 * Math.PI * this.#rateHz) / SAMPLE_RATE_HZ;
    for (let index = 0; index < count; index++) {
      const swing = this.#depth * 0.5 * Math.sin(radiansPerSample * (startSample + index));
      left[index]! *= 1 + swing;
      right[index]! *= 1 - swing;
    }
  }
}

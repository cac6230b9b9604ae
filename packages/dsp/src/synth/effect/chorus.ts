import { SAMPLE_RATE_HZ } from '../stereo-samples.ts';
import type { Insert } from './insert.ts';

const SIZE = 2048;

/**
 * Adds to each side a copy of itself with a delay modulated from 8 to 16 ms, a quarter of a cycle apart.
 *
 * @param rateHz rate of the modulation
 * @param depth level of the copy, 0 to 1
 * @see Dattorro, "Effect design, part 2: delay-line modulation and chorus", JAES 45(10), 1997
 */
export class Chorus implements Insert {
  readonly #left = new Float32Array(SIZE);
  readonly #right = new Float32Array(SIZE);
  readonly #rateHz: number;
  readonly #depth: number;

  constructor(rateHz: number, depth: number) {
    this.#rateHz = rateHz;
    this.#depth = depth;
  }

  process(left: Float32Array, right: Float32Array, count: number, startSample: number): void {
    const dry = 1 - 0.4 * this.#depth;
    let sine = 0;
    let cosine = 0;
    for (let index = 0; index < count; index++) {
      const at = startSample + index;
      if (index === 0 || at % 16 === 0) {
        const angle = (2 * Math.PI * this.#rateHz * at) / SAMPLE_RATE_HZ;
        sine = Math.sin(angle);
        cosine = Math.cos(angle);
      }
      const slot = at & (SIZE - 1);
      this.#left[slot] = left[index]!;
      this.#right[slot] = right[index]!;
      left[index] = dry * left[index]! + this.#depth * read(this.#left, at - 530 - 170 * sine);
      right[index] = dry * right[index]! + this.#depth * read(this.#right, at - 530 - 170 * cosine);
    }
  }
}

function read(ring: Float32Array, position: number): number {
  const whole = Math.floor(position);
  const low = ring[whole & (SIZE - 1)]!;
  return low + (ring[(whole + 1) & (SIZE - 1)]! - low) * (position - whole);
}

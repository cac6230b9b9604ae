import type { Insert } from './insert.ts';

/**
 * Mild saturation of the bus of a stem: y = x − 4x³/27 up to |x| = 1.5, where it reaches 1 and stays. A cubic produces
 * no harmonic above the third, so that there is hardly any aliasing.
 *
 * @param drive gain before the curve, undone after it, so that quiet audio passes unchanged
 * @see Zölzer, "DAFX", 2nd edition 2011, section 4.3
 */
export class Saturation implements Insert {
  readonly #drive: number;

  constructor(drive: number) {
    this.#drive = drive;
  }

  process(left: Float32Array, right: Float32Array, count: number): void {
    const drive = this.#drive;
    for (let index = 0; index < count; index++) {
      left[index] = press(left[index]! * drive) / drive;
      right[index] = press(right[index]! * drive) / drive;
    }
  }
}

function press(input: number): number {
  if (input >= 1.5) return 1;
  if (input <= -1.5) return -1;
  return input - (4 / 27) * input * input * input;
}

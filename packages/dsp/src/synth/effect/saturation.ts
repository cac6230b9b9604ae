import type { Insert } from './insert.ts';

/**
 * A gentle press on a stem's bus: y = x − 4x³/27 up to |x| = 1.5, where it reaches 1 and stays. A cubic makes no
 * partial above the third, so that hardly anything folds back.
 *
 * @param drive gain before the curve; it is taken away again after it, so that quiet sound passes unchanged
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

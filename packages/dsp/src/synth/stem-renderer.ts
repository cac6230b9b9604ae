import { Echo } from './effect/echo.ts';
import { Reverb } from './effect/reverb.ts';
import { Saturation } from './effect/saturation.ts';
import { PartPlayer } from './part-player.ts';
import type { Part, StemBus } from './sequence/arrangement.ts';

/**
 * Renders one stem block by block.
 *
 * parts → sum ⟶ saturation → level
 *      ↘ echo ↗
 *      ↘ reverberation (of parts and echo) ↗
 */
export class StemRenderer {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly #players: { player: PartPlayer; part: Part }[];
  readonly #reverb: Reverb;
  readonly #echo: Echo | null;
  readonly #saturation: Saturation;
  readonly #gain: number;
  readonly #wet: [Float32Array, Float32Array];
  readonly #repeats: [Float32Array, Float32Array];

  constructor(parts: readonly Part[], bus: StemBus, blockSize: number) {
    const blank = (): Float32Array => new Float32Array(blockSize);
    this.left = blank();
    this.right = blank();
    this.#wet = [blank(), blank()];
    this.#repeats = [blank(), blank()];
    this.#players = parts.map((part) => ({ player: new PartPlayer(part, blockSize), part }));
    this.#reverb = new Reverb(bus.room);
    this.#echo = bus.echo ? new Echo(bus.echo) : null;
    this.#saturation = new Saturation(bus.drive);
    this.#gain = 10 ** (bus.gainDb / 20);
  }

  /** Renders `count` samples from `startSample` on into `left` and `right`. */
  render(startSample: number, count: number): void {
    const { left, right } = this;
    const [wetLeft, wetRight] = this.#wet;
    const [echoLeft, echoRight] = this.#repeats;
    for (const samples of [left, right, wetLeft, wetRight, echoLeft, echoRight]) samples.fill(0, 0, count);
    for (const { player, part } of this.#players) {
      player.render(startSample, count);
      if (!player.isSounding) continue;
      for (let index = 0; index < count; index++) {
        const l = player.left[index]!;
        const r = player.right[index]!;
        left[index]! += l;
        right[index]! += r;
        wetLeft[index]! += l * part.reverb;
        wetRight[index]! += r * part.reverb;
        echoLeft[index]! += l * part.echo;
        echoRight[index]! += r * part.echo;
      }
    }
    if (this.#echo) {
      this.#echo.process(echoLeft, echoRight, count);
      for (let index = 0; index < count; index++) {
        left[index]! += echoLeft[index]!;
        right[index]! += echoRight[index]!;
        wetLeft[index]! += echoLeft[index]! * 0.3;
        wetRight[index]! += echoRight[index]! * 0.3;
      }
    }
    this.#reverb.process(wetLeft, wetRight, count);
    for (let index = 0; index < count; index++) {
      left[index]! += wetLeft[index]!;
      right[index]! += wetRight[index]!;
    }
    this.#saturation.process(left, right, count);
    for (let index = 0; index < count; index++) {
      left[index]! *= this.#gain;
      right[index]! *= this.#gain;
    }
  }
}

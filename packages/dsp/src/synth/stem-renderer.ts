import { Echo } from './effect/echo.ts';
import { Reverb } from './effect/reverb.ts';
import { Saturation } from './effect/saturation.ts';
import { smoothing } from './filter.ts';
import { PartPlayer } from './part-player.ts';
import type { Part, StemBus } from './sequence/arrangement.ts';

const DC_SMOOTHING = smoothing(1 / (2 * Math.PI * 10));

/**
 * Renders one stem block by block.
 *
 * parts → sum ⟶ saturation → offset removed → level ↘ echo ↗ ↘ reverberation (of parts and echo) ↗
 */
export class StemRenderer {
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly #players: { player: PartPlayer; part: Part }[];
  readonly #reverb: Reverb | null;
  readonly #echo: Echo | null;
  readonly #saturation: Saturation;
  readonly #gain: number;
  #leftOffset = 0;
  #rightOffset = 0;
  readonly #wet: [Float32Array, Float32Array];
  readonly #repeats: [Float32Array, Float32Array];

  constructor(parts: readonly Part[], bus: StemBus, blockSize: number) {
    const blank = (): Float32Array => new Float32Array(blockSize);
    this.left = blank();
    this.right = blank();
    this.#wet = [blank(), blank()];
    this.#repeats = [blank(), blank()];
    this.#players = parts.map((part) => ({ player: new PartPlayer(part, blockSize), part }));
    this.#reverb = parts.some((part) => part.reverb > 0) ? new Reverb(bus.room) : null;
    this.#echo = bus.echo && parts.some((part) => part.echo > 0) ? new Echo(bus.echo) : null;
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
      add(player.left, left, 1, count);
      add(player.right, right, 1, count);
      add(player.left, wetLeft, part.reverb, count);
      add(player.right, wetRight, part.reverb, count);
      add(player.left, echoLeft, part.echo, count);
      add(player.right, echoRight, part.echo, count);
    }
    if (this.#echo) {
      this.#echo.process(echoLeft, echoRight, count);
      add(echoLeft, left, 1, count);
      add(echoRight, right, 1, count);
      add(echoLeft, wetLeft, 0.3, count);
      add(echoRight, wetRight, 0.3, count);
    }
    if (this.#reverb) {
      this.#reverb.process(wetLeft, wetRight, count);
      add(wetLeft, left, 1, count);
      add(wetRight, right, 1, count);
    }
    this.#saturation.process(left, right, count);
    // A high-pass with a pole at 10 Hz removes the offset of the instruments.
    const gain = this.#gain;
    let leftOffset = this.#leftOffset;
    let rightOffset = this.#rightOffset;
    for (let index = 0; index < count; index++) {
      leftOffset += DC_SMOOTHING * (left[index]! - leftOffset);
      rightOffset += DC_SMOOTHING * (right[index]! - rightOffset);
      left[index] = (left[index]! - leftOffset) * gain;
      right[index] = (right[index]! - rightOffset) * gain;
    }
    this.#leftOffset = leftOffset;
    this.#rightOffset = rightOffset;
  }
}

function add(from: Float32Array, to: Float32Array, gain: number, count: number): void {
  if (gain === 0) return;
  for (let index = 0; index < count; index++) to[index]! += gain * from[index]!;
}

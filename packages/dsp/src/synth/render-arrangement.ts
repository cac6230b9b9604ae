import { Fader } from './effect/automation.ts';
import { SharedLimiter } from './effect/shared-limiter.ts';
import { type Arrangement, type StemName, stemNames } from './sequence/arrangement.ts';
import { StemRenderer } from './stem-renderer.ts';
import { SAMPLE_RATE_HZ } from './stereo-samples.ts';

/** A block of the four stems; each is [left, right], all eight arrays have one length. */
export type StemBlock = Record<StemName, Float32Array[]>;

const BLOCK_SIZE = 4096;
/** Sample ceiling of −1.5 dBFS, so that the true peak stays below −1 dBTP. */
const CEILING = 0.8414;

/**
 * Renders an arrangement in blocks of 4096 samples (the last one may be shorter).
 *
 * stems → fade → one limiter on their sum with the same gain for all → blocks
 *
 * @param durationSeconds length to render from the beginning
 */
export function* renderArrangement(arrangement: Arrangement, durationSeconds: number): Generator<StemBlock> {
  const limiter = new SharedLimiter(stemNames.length * 2, CEILING, 0.004, 0.12);
  const largest = BLOCK_SIZE + limiter.delay;
  const renderers = stemNames.map((stem) => {
    const parts = arrangement.parts.filter((part) => part.stem === stem);
    return new StemRenderer(parts, arrangement.buses[stem], largest);
  });
  const faders = renderers.map(() => new Fader(arrangement.masterDb));
  const sides = renderers.flatMap(({ left, right }) => [left, right]);
  const total = Math.round(durationSeconds * SAMPLE_RATE_HZ);
  let rendered = 0;
  let given = 0;
  while (given < total) {
    // The first block is longer by the delay of the limiter, whose leading silence is dropped.
    const skip = given === 0 ? limiter.delay : 0;
    const length = Math.min(BLOCK_SIZE, total - given);
    renderers.forEach((renderer, index) => {
      renderer.render(rendered, length + skip);
      faders[index]!.process(renderer.left, renderer.right, length + skip, rendered);
    });
    limiter.process(sides, length + skip);
    rendered += length + skip;
    given += length;
    const take = (stem: number): Float32Array[] =>
      [sides[stem * 2]!, sides[stem * 2 + 1]!].map((side) => side.slice(skip, skip + length));
    yield { vocals: take(0), drums: take(1), bass: take(2), other: take(3) };
  }
}

/**
 * Returns the mix of a block, [left, right]: vocals + drums + bass + other, added in this order and rounded to float32
 * once.
 */
export function mixOf(block: StemBlock): Float32Array[] {
  return [0, 1].map((side) => {
    const [vocals, drums, bass, other] = stemNames.map((stem) => block[stem][side]!);
    return Float32Array.from(
      vocals!,
      (sample, index) => sample + drums![index]! + bass![index]! + other![index]!,
    );
  });
}

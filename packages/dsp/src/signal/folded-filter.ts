import { sampleProgram } from './sample-program.ts';

/** A symmetric filter without its zeros, and half as many products. */
export interface FoldedFilter {
  /** Coefficient of the middle. */
  readonly middle: number;
  /** Coefficients at `first`, `first + step`, … samples before and after the middle. */
  readonly sides: Float64Array;
  readonly first: number;
  readonly step: number;
}

/** Coefficients that are smaller, in relation to the largest, count as zero: −200 dB. */
const ZERO = 1e-10;
/** Largest difference of two coefficients that count as equal, in relation to the largest. */
const EQUAL = 1e-12;

/**
 * Returns a symmetric filter in folded form, or null if it is not symmetric.
 *
 * Every second coefficient of a filter for half the sample rate is zero, so that a quarter of the products is left.
 *
 * @param row coefficients in the order of the samples; the middle is at `row.length / 2 − 1`, as in `ResampleKernel`
 */
export function foldFilter(row: Float64Array): FoldedFilter | null {
  const middleAt = row.length / 2 - 1;
  const middle = row[middleAt] ?? 0;
  const isZero = (at: number): boolean => Math.abs(row[at] ?? 0) <= ZERO * Math.abs(middle);
  // The last coefficient has no partner.
  if (!isZero(row.length - 1)) return null;
  for (let distance = 1; distance <= middleAt; distance++) {
    const difference = (row[middleAt - distance] ?? 0) - (row[middleAt + distance] ?? 0);
    if (Math.abs(difference) > EQUAL * Math.abs(middle)) return null;
  }
  let step = 2;
  for (let distance = 2; distance <= middleAt; distance += 2) if (!isZero(middleAt + distance)) step = 1;
  const sides = Float64Array.from(
    { length: Math.ceil(middleAt / step) },
    (_, index) => row[middleAt + 1 + index * step] ?? 0,
  );
  return { middle, sides, first: 1, step };
}

/** Filters samples and keeps every second one, by the compiled program; only for filters with `step` 2. */
function halve(
  { middle, sides }: FoldedFilter,
  samples: Float64Array,
  at: number,
  count: number,
): Float32Array {
  const program = sampleProgram();
  const output = new Float32Array(count);
  program.sides.set(sides);
  // The program expects the middle at this index of its window.
  const lead = 2 * sides.length;
  for (let done = 0; done < count; done += program.halved.length) {
    const outputs = Math.min(program.halved.length, count - done);
    const from = at + 2 * done - lead;
    program.window.set(samples.subarray(Math.max(0, from), from + 2 * (outputs + lead)), Math.max(0, -from));
    program.calls.halve(outputs, sides.length, middle);
    output.set(program.halved.subarray(0, outputs), done);
  }
  return output;
}

/**
 * Filters samples and keeps one of every `stride`, and returns the results.
 *
 * @param at index of the first middle; all coefficients must lie within `samples`
 */
export function filterFolded(
  filter: FoldedFilter,
  samples: Float64Array,
  at: number,
  stride: number,
  count: number,
): Float32Array {
  const { middle, sides, first, step } = filter;
  if (step === 2 && stride === 2 && sides.length <= sampleProgram().sides.length)
    return halve(filter, samples, at, count);
  const output = new Float32Array(count);
  for (let index = 0; index < count; index++, at += stride) {
    let even = middle * (samples[at] as number);
    let odd = 0;
    let before = at - first;
    let after = at + first;
    let side = 0;
    for (; side + 1 < sides.length; side += 2) {
      even += (sides[side] as number) * ((samples[before] as number) + (samples[after] as number));
      before -= step;
      after += step;
      odd += (sides[side + 1] as number) * ((samples[before] as number) + (samples[after] as number));
      before -= step;
      after += step;
    }
    if (side < sides.length)
      odd += (sides[side] as number) * ((samples[before] as number) + (samples[after] as number));
    output[index] = even + odd;
  }
  return output;
}

import { filterFolded, foldFilter } from './folded-filter.ts';
import { createResampleKernel, type ResampleQuality } from './resample-kernel.ts';

/** Conversion to be done. Rates are whole numbers in Hz. */
export interface ResamplerOptions {
  fromRate: number;
  toRate: number;
  channels: number;
  quality?: keyof typeof RESAMPLE_QUALITIES;
}

/**
 * Resamples a stream. Both methods together return round(n · toRate / fromRate) samples for n input samples.
 *
 * `process` takes a block of any length and returns the samples that are ready; `flush` returns the rest and ends the
 * stream.
 */
export interface Resampler {
  process(block: Float32Array[]): Float32Array[];
  flush(): Float32Array[];
}

/**
 * Filter edges of the resampler by quality.
 *
 * `high` is flat to 0.45 of the lower rate and stops everything from half of it on. `fast` needs half the time and
 * aliases frequencies above 0.45 of the lower rate (19.8 kHz at 44.1 kHz).
 */
export const RESAMPLE_QUALITIES = {
  high: { passEdge: 0.45, stopEdge: 0.5, attenuationDb: 135 },
  fast: { passEdge: 0.45, stopEdge: 0.55, attenuationDb: 125 },
} as const satisfies Record<string, ResampleQuality>;

/** Above this number of exact phases (44100 → 44101 has 44101), the kernel interpolates between this many rows. */
const MAX_EXACT_PHASES = 2048;
const INTERPOLATED_PHASES = 4096;

/**
 * Creates a resampler: `samples → window over the past → polyphase FIR → samples`, without delay.
 *
 * The output is aligned with the input: sample m of the output lies at time m / toRate. Outside of the stream the audio
 * counts as 0. Equal rates pass samples through unchanged.
 *
 * @throws RangeError if a rate is not a whole number of at least 1 Hz, or a block has another number of audio channels
 */
export function createResampler(options: ResamplerOptions): Resampler {
  const { fromRate, toRate, channels, quality = 'high' } = options;
  for (const rate of [fromRate, toRate]) {
    if (!(Number.isSafeInteger(rate) && rate >= 1)) {
      throw new RangeError(`a sample rate must be a whole number of 1 Hz or more (got ${rate})`);
    }
  }
  if (fromRate === toRate) return createPassThrough(channels);

  const divisor = greatestCommonDivisor(fromRate, toRate);
  const up = toRate / divisor;
  const down = fromRate / divisor;
  const isExact = up <= MAX_EXACT_PHASES;
  const phases = isExact ? up : INTERPOLATED_PHASES;
  const { taps, table } = createResampleKernel(toRate / fromRate, phases, RESAMPLE_QUALITIES[quality]);
  const half = taps / 2;
  const wholeStep = Math.floor(down / up);
  const partStep = down % up;
  const row = new Float64Array(isExact ? 0 : taps);
  // With one phase, as from 44100 to 22050, all outputs have the same symmetric filter.
  const folded = up === 1 ? foldFilter(table.subarray(0, taps)) : null;

  // Window over the input; it begins with silence as the history of the first output.
  let windows = Array.from({ length: channels }, () => new Float64Array(taps * 4));
  let filled = half - 1;
  let taken = 0;
  let given = 0;
  // The next output lies at window index `base` + `part` / `up`, its first coefficient at `base` − half + 1.
  let base = half - 1;
  let part = 0;

  const append = (block: Float32Array[], length: number): void => {
    // Drop the samples that no later output needs.
    const first = Math.min(base - half + 1, filled);
    const kept = filled - first;
    const capacity = windows[0]?.length ?? 0;
    if (kept + length > capacity) {
      windows = windows.map((old) => {
        const grown = new Float64Array((kept + length) * 2);
        grown.set(old.subarray(first, filled));
        return grown;
      });
    } else {
      for (const window of windows) window.copyWithin(0, first, filled);
    }
    filled = kept;
    base -= first;
    for (const [index, window] of windows.entries()) window.set(block[index] ?? [], filled);
    filled += length;
  };

  const produce = (limit: number): Float32Array[] => {
    const ready = filled - half - base;
    // Counts outputs whose last coefficient multiplies an available sample: base + half < filled.
    const count = Math.max(0, Math.min(limit, ready <= 0 ? 0 : Math.ceil((ready * up - part) / down)));
    if (folded) {
      const outputs = windows.map((window) => filterFolded(folded, window, base, down, count));
      base += count * down;
      given += count;
      return outputs;
    }
    const output = Array.from({ length: channels }, () => new Float32Array(count));
    for (let m = 0; m < count; m++) {
      let coefficients = table;
      let at = part * taps;
      if (!isExact) {
        interpolateRow(table, (part / up) * phases, taps, row);
        coefficients = row;
        at = 0;
      }
      const from = base - half + 1;
      for (let index = 0; index < channels; index++) {
        (output[index] as Float32Array)[m] = dot(
          coefficients,
          at,
          windows[index] as Float64Array,
          from,
          taps,
        );
      }
      base += wholeStep;
      part += partStep;
      if (part >= up) {
        part -= up;
        base++;
      }
    }
    given += count;
    return output;
  };

  return {
    process(block) {
      const length = checkBlock(block, channels);
      append(block, length);
      taken += length;
      return produce(Number.POSITIVE_INFINITY);
    },
    flush() {
      const silence = new Float32Array(taps + wholeStep + 1);
      append(
        Array.from({ length: channels }, () => silence),
        silence.length,
      );
      return produce(Math.round((taken * toRate) / fromRate) - given);
    },
  };
}

/** Returns the dot product of `taps` numbers, with four independent sums to shorten the chain of additions. */
function dot(a: Float64Array, aFrom: number, b: Float64Array, bFrom: number, taps: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let tap = 0;
  for (; tap + 3 < taps; tap += 4) {
    s0 += (a[aFrom + tap] as number) * (b[bFrom + tap] as number);
    s1 += (a[aFrom + tap + 1] as number) * (b[bFrom + tap + 1] as number);
    s2 += (a[aFrom + tap + 2] as number) * (b[bFrom + tap + 2] as number);
    s3 += (a[aFrom + tap + 3] as number) * (b[bFrom + tap + 3] as number);
  }
  for (; tap < taps; tap++) s0 += (a[aFrom + tap] as number) * (b[bFrom + tap] as number);
  return s0 + s1 + (s2 + s3);
}

function interpolateRow(table: Float64Array, position: number, taps: number, into: Float64Array): void {
  const low = Math.floor(position);
  const weight = position - low;
  const at = low * taps;
  for (let tap = 0; tap < taps; tap++) {
    const before = table[at + tap] as number;
    into[tap] = before + weight * ((table[at + taps + tap] as number) - before);
  }
}

function createPassThrough(channels: number): Resampler {
  return {
    process(block) {
      checkBlock(block, channels);
      return block.map((samples) => samples.slice());
    },
    flush: () => Array.from({ length: channels }, () => new Float32Array(0)),
  };
}

function checkBlock(block: Float32Array[], channels: number): number {
  const length = block[0]?.length ?? 0;
  if (block.length !== channels || block.some((samples) => samples.length !== length)) {
    const got = block.map((samples) => samples.length).join(', ');
    throw new RangeError(`a block must hold ${channels} arrays of one length (got lengths ${got || 'none'})`);
  }
  return length;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

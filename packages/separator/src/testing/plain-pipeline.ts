/**
 * Reference implementation of everything around a network: no streams, no threads, double precision, its own transform.
 * Slow, and easy to compare with the description of the contracts.
 */

const segmentFrames = 343_980;
const hopFrames = 257_985;

/** Left and right audio channel. */
export type Sides = readonly [Float64Array, Float64Array];

/** A test network: a function of the waveform and a gain for each bin of the spectrogram. */
export interface PlainNetwork {
  /** Returns the stem of one audio channel; both have 343,980 frames. */
  waveform(side: Float64Array): Float64Array;
  /** Gain of a bin; null if the transform is inside the network. */
  readonly binGain: ((bin: number) => number) | null;
}

/** Returns one stem of a track. */
export function separatePlainly([left, right]: Sides, network: PlainNetwork): Sides {
  const length = left.length;
  const middle = left.map((value, i) => (value + (right[i] as number)) / 2);
  const mean = middle.reduce((sum, value) => sum + value, 0) / length;
  const squares = middle.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (length - 1)) + 1e-8;
  const joined = [new Float64Array(length), new Float64Array(length)] as const;
  const weights = new Float64Array(length);
  for (let offset = 0; offset < length; offset += hopFrames) {
    const frames = Math.min(segmentFrames, length - offset);
    const from = Math.floor((segmentFrames - frames) / 2);
    for (const [index, side] of [left, right].entries()) {
      const segment = new Float64Array(segmentFrames);
      for (let i = 0; i < segmentFrames; i++) {
        const at = offset - from + i;
        if (at >= 0 && at < length) segment[i] = ((side[at] as number) - mean) / deviation;
      }
      const stem = network.waveform(segment);
      if (network.binGain) {
        const more = throughSpectrogram(segment, network.binGain);
        for (let i = 0; i < segmentFrames; i++) stem[i] = (stem[i] as number) + (more[i] as number);
      }
      for (let i = 0; i < frames; i++) {
        const weight = Math.min(i + 1, segmentFrames - i);
        const to = joined[index] as Float64Array;
        to[offset + i] = (to[offset + i] as number) + weight * (stem[from + i] as number);
        if (index === 0) weights[offset + i] = (weights[offset + i] as number) + weight;
      }
    }
  }
  return joined.map((side) =>
    side.map((value, i) => (value / (weights[i] as number)) * deviation + mean),
  ) as unknown as Sides;
}

/** Transforms a segment, applies the gain of each bin and transforms it back. */
function throughSpectrogram(segment: Float64Array, gainOf: (bin: number) => number): Float64Array {
  const found = new Float64Array(segmentFrames);
  const window = Float64Array.from({ length: 4096 }, (_, i) => 0.5 - 0.5 * Math.cos((Math.PI * i) / 2048));
  for (let frame = 0; frame < 336; frame++) {
    const re = new Float64Array(4096);
    const im = new Float64Array(4096);
    for (let i = 0; i < 4096; i++) {
      let at = Math.abs(frame * 1024 - 1536 + i);
      if (at >= segmentFrames) at = 2 * (segmentFrames - 1) - at;
      re[i] = ((window[i] as number) * (segment[at] as number)) / 64;
    }
    transform(re, im);
    for (let bin = 0; bin < 4096; bin++) {
      // The other half is the mirror image; the Nyquist bin is dropped.
      const gain = bin === 2048 ? 0 : gainOf(Math.min(bin, 4096 - bin));
      re[bin] = (re[bin] as number) * gain;
      // The inverse by the forward transform of the conjugate.
      im[bin] = -(im[bin] as number) * gain;
    }
    transform(re, im);
    for (let i = 0; i < 4096; i++) {
      const at = frame * 1024 - 1536 + i;
      if (at < 0 || at >= segmentFrames) continue;
      found[at] = (found[at] as number) + ((re[i] as number) / 4096) * (window[i] as number) * (64 / 1.5);
    }
  }
  return found;
}

/** Computes the forward radix-2 transform in place. */
function transform(re: Float64Array, im: Float64Array): void {
  const size = re.length;
  for (let i = 1, j = 0; i < size; i++) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) for (const part of [re, im]) [part[i], part[j]] = [part[j] as number, part[i] as number];
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k++) {
      const angle = (-2 * Math.PI * k) / length;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      for (let a = k; a < size; a += length) {
        const b = a + length / 2;
        const x = (re[b] as number) * c - (im[b] as number) * s;
        const y = (re[b] as number) * s + (im[b] as number) * c;
        re[b] = (re[a] as number) - x;
        im[b] = (im[a] as number) - y;
        re[a] = (re[a] as number) + x;
        im[a] = (im[a] as number) + y;
      }
    }
  }
}

import { hzToMel, melToHz } from '../units.ts';

/** Triangular bands over the bins of a spectrum. */
export interface MelFilterBank {
  readonly bandCount: number;
  /** Centre of each band in Hz. */
  readonly centresHz: readonly number[];
  /** Sums the bins of a power spectrum (size / 2 + 1 numbers) into `bandCount` bands. Allocates nothing. */
  apply(power: Float32Array, bands: Float32Array): void;
}

/**
 * Creates triangular mel bands on Slaney's scale, each of area one in Hz (`norm='slaney'`), as in librosa.
 *
 * @param options.sampleRate samples a second
 * @param options.fftSize samples in a transform
 * @param options.bandCount bands, at least 1
 * @param options.minHz lower edge of the first band, default 0
 * @param options.maxHz upper edge of the last band, default half the sample rate
 * @throws RangeError when the edges are not 0 ≤ minHz < maxHz ≤ sampleRate / 2
 * @see https://librosa.org/doc/latest/generated/librosa.filters.mel.html
 */
export function createMelFilterBank(options: {
  sampleRate: number;
  fftSize: number;
  bandCount: number;
  minHz?: number;
  maxHz?: number;
}): MelFilterBank {
  const { sampleRate, fftSize, bandCount, minHz = 0, maxHz = sampleRate / 2 } = options;
  if (!(minHz >= 0 && minHz < maxHz && maxHz <= sampleRate / 2)) {
    throw new RangeError(`mel bands must lie within 0 to ${sampleRate / 2} Hz (got ${minHz} to ${maxHz})`);
  }
  const minMel = hzToMel(minHz);
  const step = (hzToMel(maxHz) - minMel) / (bandCount + 1);
  const edges = Float64Array.from({ length: bandCount + 2 }, (_, index) => melToHz(minMel + index * step));
  const binHz = sampleRate / fftSize;
  const bands = Array.from({ length: bandCount }, (_, band) => {
    const [low = 0, centre = 0, high = 0] = edges.subarray(band, band + 3);
    const first = Math.ceil(low / binHz);
    const last = Math.min(Math.floor(high / binHz), fftSize / 2);
    const weights = Float32Array.from({ length: Math.max(0, last - first + 1) }, (_value, index) => {
      const frequencyHz = (first + index) * binHz;
      const slope = Math.min((frequencyHz - low) / (centre - low), (high - frequencyHz) / (high - centre));
      return (2 / (high - low)) * Math.max(0, slope);
    });
    return { first, weights };
  });

  return {
    bandCount,
    centresHz: [...edges.subarray(1, bandCount + 1)],
    apply(power, output) {
      for (let band = 0; band < bandCount; band++) {
        const { first, weights } = bands[band] ?? { first: 0, weights: new Float32Array(0) };
        let sum = 0;
        for (let at = 0; at < weights.length; at++) sum += (weights[at] ?? 0) * (power[first + at] ?? 0);
        output[band] = sum;
      }
    },
  };
}

import { logBandEdges } from '../packages/dsp/src/separate/band-features.ts';
import { convolveFrames } from '../packages/dsp/src/separate/convolve-frames.ts';
import { hearFrames, hearingShapes, readLayers } from '../packages/dsp/src/separate/frame-network.ts';
import type { StemShares } from '../packages/dsp/src/separate/stem-shares.ts';
import { binCount, type StereoSpectrogram } from '../packages/dsp/src/separate/stereo-spectrogram.ts';

/** The bands that the network hears: 21 Hz to 16 kHz. */
const bands = 96;
const bandEdges = logBandEdges(2, 1500, bands);
/** Level, difference of the sides, and three shares by two opinions. */
const featureCount = 8;
/** The logits of four stems, and of the weight of the second opinion. */
const correctionCount = 5;
const width = 128;
/** No stem's share is taken for smaller, so that what the rules overlook can be found. */
const leastShare = 0.02;
/** The logit of the weight of the second opinion where the network has nothing to say: 0.6. */
const secondFirst = 0.4055;

const bandOfBin = Uint8Array.from({ length: binCount }, (_, k) => {
  const above = bandEdges.findIndex((edge) => edge > k);
  return above < 0 ? bands - 1 : Math.max(0, above - 1);
});

/** A trained network that corrects hand-made shares. */
export interface StemNetwork {
  /**
   * Hears a piece of several seconds and corrects the shares of vocals, drums and bass, and thereby of the rest; what
   * is left of their sum is never negative.
   *
   * @param first one opinion, which is overwritten with the corrected shares
   * @param second another opinion, or the same
   * @param trust what the corrections are multiplied by, 0 to 1: with 0 the shares stay nearly as they are
   */
  correct(spectrogram: StereoSpectrogram, first: StemShares, second: StemShares, trust?: number): void;
}

/**
 * Reads the weights that `training/pack_weights.py` has written.
 *
 * @throws RangeError when they are not as many as the network has
 */
export function readStemNetwork(bytes: Uint8Array): StemNetwork {
  const shapes = hearingShapes(featureCount * bands, width);
  const layers = readLayers(bytes, [...shapes, [width, bands * correctionCount, 1, 0]]);
  const [toCorrections] = layers.splice(-1) as [(typeof layers)[number]];
  return {
    correct(spectrogram, first, second, trust = 1) {
      const { frameCount } = spectrogram;
      const heard = hearFrames(layers, featuresOf(spectrogram, first, second), frameCount);
      const corrections = convolveFrames(toCorrections, heard, frameCount);
      applyCorrections(corrections, first, second, trust);
    },
  };
}

/** For each frame, 96 values of each feature in turn. */
function featuresOf(
  { leftRe, leftIm, rightRe, rightIm, frameCount }: StereoSpectrogram,
  first: StemShares,
  second: StemShares,
): Float64Array {
  const features = new Float64Array(frameCount * featureCount * bands);
  const opinions = [first.vocals, first.drums, first.bass, second.vocals, second.drums, second.bass];
  const shares = new Float64Array(opinions.length);
  let mean = 1e-20;
  for (let t = 0; t < frameCount; t++) {
    for (let band = 0; band < bands; band++) {
      const from = t * binCount + (bandEdges[band] as number);
      const to = t * binCount + (bandEdges[band + 1] as number);
      let energy = 0;
      let side = 0;
      shares.fill(0);
      for (let i = from; i < to; i++) {
        const [a, b, c, d] = [
          leftRe[i] as number,
          leftIm[i] as number,
          rightRe[i] as number,
          rightIm[i] as number,
        ];
        const both = a * a + b * b + c * c + d * d;
        energy += both;
        side += ((a - c) ** 2 + (b - d) ** 2) / 2;
        for (let j = 0; j < opinions.length; j++) {
          shares[j] = (shares[j] as number) + both * ((opinions[j] as Float32Array)[i] as number);
        }
      }
      const count = to - from;
      const at = t * featureCount * bands + band;
      features[at] = energy / count;
      mean += energy / count / (frameCount * bands);
      features[at + bands] = side / (energy + 1e-9 * count);
      for (const [j, share] of shares.entries()) {
        features[at + (2 + j) * bands] = Math.sqrt(share / (energy + 1e-9 * count));
      }
    }
  }
  for (let t = 0; t < frameCount; t++) {
    const frame = t * featureCount * bands;
    for (let i = frame; i < frame + bands; i++) {
      features[i] = Math.log10((features[i] as number) / mean + 1e-7) / 2 + 1.2;
    }
  }
  return features;
}

function applyCorrections(
  corrections: Float64Array,
  first: StemShares,
  second: StemShares,
  trust: number,
): void {
  const gains = new Float64Array(bands * correctionCount);
  for (let start = 0; start < first.vocals.length; start += binCount) {
    const frame = (start / binCount) * bands * correctionCount;
    for (let i = 0; i < gains.length; i++) {
      const correction = trust * (corrections[frame + i] as number);
      const isWeight = i % correctionCount === correctionCount - 1;
      gains[i] = isWeight ? 1 / (1 + Math.exp(-correction - secondFirst)) : Math.exp(correction);
    }
    for (let k = 0; k < binCount; k++) {
      const i = start + k;
      const at = (bandOfBin[k] as number) * correctionCount;
      const weight = gains[at + 4] as number;
      const mix = (name: keyof StemShares): number =>
        (1 - weight) * (first[name][i] as number) + weight * (second[name][i] as number);
      const [v, d, b] = [mix('vocals'), mix('drums'), mix('bass')];
      const vocals = (v + leastShare) * (gains[at] as number);
      const drums = (d + leastShare) * (gains[at + 1] as number);
      const bass = (b + leastShare) * (gains[at + 2] as number);
      const other = (Math.max(0, 1 - v - d - b) + leastShare) * (gains[at + 3] as number);
      const all = vocals + drums + bass + other;
      first.vocals[i] = vocals / all;
      first.drums[i] = drums / all;
      first.bass[i] = bass / all;
    }
  }
}

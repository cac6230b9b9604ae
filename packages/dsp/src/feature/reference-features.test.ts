import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createPitchKernel } from '../tonal/pitch-kernel.ts';
import { loadFft } from '../transform/fft.ts';
import { MFCC_COUNT } from './mfcc.ts';
import { createSpectralTrackKernel } from './spectral-track.ts';

// Formulas documented by librosa, implemented directly for one recording: every number comes from a definition, none
// from the code under test.
const RATE = 22_050;
let state = 5;
const samples = Float32Array.from({ length: 6_500 }, (_, n) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  const tone = Math.sin((2 * Math.PI * 311 * n) / RATE) + 0.5 * Math.sin((2 * Math.PI * 1_244.5 * n) / RATE);
  return 0.2 * tone * (1 + n / 6_500) + 0.02 * (state / 2 ** 31 - 1);
});

/** Returns |X[k]| of the frame centred on sample t · hop, with silence outside and a periodic Hann window. */
function magnitudes(size: number, centre: number): Float64Array {
  const piece = Float64Array.from({ length: size }, (_, n) => {
    return (samples[centre - size / 2 + n] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size));
  });
  const cosines = Float64Array.from({ length: size }, (_, n) => Math.cos((2 * Math.PI * n) / size));
  return Float64Array.from({ length: size / 2 + 1 }, (_, k) => {
    let re = 0;
    let im = 0;
    for (let n = 0; n < size; n++) {
      const at = (k * n) % size;
      re += (piece[n] ?? 0) * (cosines[at] ?? 0);
      im += (piece[n] ?? 0) * (cosines[(at + (3 * size) / 4) % size] ?? 0);
    }
    return Math.hypot(re, im);
  });
}

const mel = (hz: number): number =>
  hz < 1000 ? (3 * hz) / 200 : 15 + (27 * Math.log(hz / 1000)) / Math.log(6.4);
const hertz = (mels: number): number =>
  mels < 15 ? (200 * mels) / 3 : 1000 * Math.exp(((mels - 15) * Math.log(6.4)) / 27);

function mfccOf(magnitude: Float64Array): number[] {
  const edge = (index: number): number => hertz((index * mel(RATE / 2)) / 129);
  const decibels = Array.from({ length: 128 }, (_, band) => {
    const [low, centre, high] = [edge(band), edge(band + 1), edge(band + 2)];
    const sum = magnitude.reduce((total, value, bin) => {
      const hz = (bin * RATE) / 2048;
      const slope = Math.max(0, Math.min((hz - low) / (centre - low), (high - hz) / (high - centre)));
      return total + ((2 * slope) / (high - low)) * value ** 2;
    }, 0);
    return 10 * Math.log10(Math.max(1e-10, sum));
  });
  return Array.from({ length: MFCC_COUNT }, (_, k) =>
    decibels.reduce((sum, decibel, n) => {
      return sum + Math.sqrt((k === 0 ? 1 : 2) / 128) * Math.cos((Math.PI * k * (2 * n + 1)) / 256) * decibel;
    }, 0),
  );
}

function chromaOf(magnitude: Float64Array, size: number): number[] {
  const semitoneOf = (bin: number): number => 12 * Math.log2((bin * RATE) / size / 27.5);
  const sums = Array.from({ length: 12 }, () => 0);
  magnitude.forEach((value, bin) => {
    const here = bin === 0 ? semitoneOf(1) - 18 : semitoneOf(bin);
    const width = Math.max(1, semitoneOf(bin + 1) - here);
    const bells = Array.from({ length: 12 }, (_, pitch) => {
      const distance = ((((here - pitch + 6) % 12) + 12) % 12) - 6;
      return Math.exp(-0.5 * ((2 * distance) / width) ** 2);
    });
    const norm = Math.hypot(...bells);
    const octave = Math.exp(-0.5 * ((here / 12 - 5) / 2) ** 2);
    bells.forEach((bell, pitch) => {
      const at = (pitch + 9) % 12;
      sums[at] = (sums[at] ?? 0) + (bell / norm) * octave * value ** 2;
    });
  });
  return sums.map((sum) => sum / Math.max(...sums));
}

function contrastOf(magnitude: Float64Array): number[] {
  return Array.from({ length: 7 }, (_, band) => {
    const [low, high] = [band === 0 ? 0 : 100 * 2 ** band, 200 * 2 ** band];
    const bins = [...magnitude.keys()].filter((bin) => {
      const hz = (bin * RATE) / 2048;
      return hz >= low && hz <= high;
    });
    if (band > 0) bins.unshift((bins[0] ?? 1) - 1);
    if (band === 6) for (let bin = (bins.at(-1) ?? 0) + 1; bin <= 1024; bin++) bins.push(bin);
    const count = Math.max(1, Math.round(0.02 * bins.length));
    const values = bins.slice(0, band < 6 ? -1 : undefined).map((bin) => magnitude[bin] ?? 0);
    values.sort((left, right) => left - right);
    const mean = (part: number[]): number => part.reduce((sum, value) => sum + value, 0) / count;
    return 10 * Math.log10(mean(values.slice(-count)) / mean(values.slice(0, count)));
  });
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const isNear = (actual: number, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} is not ${expected}`);

describe('features compared with their reference definitions', () => {
  const spectra = Array.from({ length: 13 }, (_, t) => magnitudes(2048, 512 * t));
  before(() => loadFft());

  it('MFCC within 0.02 dB, spectral curves and means within 0.05 Hz and 0.01 dB, equal zero-crossing rates', () => {
    const kernel = createSpectralTrackKernel({ sampleRate: RATE, shape: true, mfcc: true });
    kernel.push(samples);
    const found = kernel.finish();
    kernel.dispose();

    found.mfcc.forEach((column, index) => {
      const pieces = spectra.slice(4 * index, 4 * index + 4).map(mfccOf);
      column.forEach((value, row) => {
        isNear(value, mean(pieces.map((piece) => piece[row] ?? 0)), 0.02, `coefficient ${row} of ${index}`);
      });
    });

    const hz = (bin: number): number => (bin * RATE) / 2048;
    const shapes = spectra.map((magnitude) => {
      const total = magnitude.reduce((sum, value) => sum + value, 0);
      const centroid = magnitude.reduce((sum, value, bin) => sum + (hz(bin) * value) / total, 0);
      const spread = magnitude.reduce(
        (sum, value, bin) => sum + ((hz(bin) - centroid) ** 2 * value) / total,
        0,
      );
      let below = 0;
      const rolloff = magnitude.findIndex((value) => (below += value) >= 0.85 * total);
      return { centroid, bandwidth: Math.sqrt(spread), rolloff: hz(rolloff) };
    });
    const { columns } = found;
    /** Compares a curve and its mean with the definition, frame by frame. */
    const isCurve = (
      curve: readonly number[],
      whole: number,
      pieces: number[],
      tolerance: number,
      what: string,
    ) => {
      isNear(whole, mean(pieces), tolerance, what);
      assert.equal(curve.length, 4, `${what}: 13 pieces are four columns`);
      curve.forEach((value, index) => {
        isNear(value, mean(pieces.slice(4 * index, 4 * index + 4)), tolerance, `${what} of ${index}`);
      });
    };
    const centroids = shapes.map((shape) => shape.centroid);
    isCurve(columns.centroidHz, found.centroidHz, centroids, 0.05, 'centroid');
    const bandwidths = shapes.map((shape) => shape.bandwidth);
    isCurve(columns.bandwidthHz, found.bandwidthHz, bandwidths, 0.05, 'bandwidth');
    const rolloffs = shapes.map((shape) => shape.rolloff);
    isCurve(columns.rolloffHz, found.rolloffHz, rolloffs, 0.05, 'roll-off');
    const contrasts = spectra.filter((_, t) => t % 4 === 0).map(contrastOf);
    found.contrastDb.forEach((value, band) => {
      isNear(value, mean(contrasts.map((contrast) => contrast[band] ?? 0)), 0.01, `contrast ${band}`);
    });
    assert.equal(columns.contrastDb.length, contrasts.length);
    columns.contrastDb.forEach((column, index) => {
      column.forEach((value, band) => {
        isNear(value, contrasts[index]?.[band] ?? 0, 0.01, `contrast ${band} of ${index}`);
      });
    });
    const rates = spectra.map((_, t) => {
      const piece = Array.from({ length: 2048 }, (_value, n) => samples[512 * t - 1024 + n] ?? 0);
      return piece.filter((value, n) => n > 0 && value < 0 !== (piece[n - 1] ?? 0) < 0).length / 2048;
    });
    isCurve(columns.zeroCrossingRate, found.zeroCrossingRate, rates, 1e-12, 'zero crossings');
  });

  it('chroma within 0.0001', () => {
    const kernel = createPitchKernel({ chroma: true });
    kernel.push(samples);
    const found = kernel.finish().chroma;
    kernel.dispose();
    assert.equal(found.length, 4);
    found.forEach((column, index) => {
      chromaOf(magnitudes(8192, 2048 * index), 8192).forEach((expected, pitch) => {
        isNear(column[pitch] ?? 0, expected, 1e-4, `pitch class ${pitch} of ${index}`);
      });
    });
  });
});

import { createMelFilterBank } from '../transform/mel.ts';
import { createPowerSpectra, type PowerSpectrum } from '../transform/power-spectra.ts';
import { hannWindow } from '../transform/window.ts';
import { ONSET_HOP, ONSET_SAMPLE_RATE, type OnsetStrength } from './onset-envelope.ts';

const FFT_SIZE = 1024;
const BAND_COUNT = 40;
const MIN_HZ = 27.5;
const MAX_HZ = 10_000;
const LOW_MAX_HZ = 180;
const HIGH_MIN_HZ = 2_500;
/** Bins of 20 to 86 Hz, the range of a bass drum. */
const DRUM_MIN_BIN = 1;
const DRUM_MAX_BIN = 4;
/** Hops between the two compared spectra: an attack needs about 20 ms to rise. */
const LAG = 2;
const COMPRESSION = 1_000;
/** Time constant of the decay of the reference level in seconds, and the least reference level. */
const LEVEL_DECAY_SECONDS = 12;
const LEVEL_FLOOR = 1e-5;

/** Measures onset strength hop by hop. */
export interface OnsetKernel {
  /** Adds the next samples at 22,050 Hz. */
  push(block: Float32Array): void;
  /** Returns the onset strengths: one value per hop of 256 samples for each frequency range. */
  finish(): OnsetStrength;
  /** Frees the memory of the transform. */
  dispose(): void;
}

/**
 * Creates a measurement of spectral flux in mel bands.
 *
 * samples → spectrum → 40 bands → level → log → rise over the loudest neighbouring band two hops before → sum over the
 * low, middle and high bands
 *
 * The level is relative to a slowly decaying peak of the audio itself, so that a quiet copy of a track gives the same
 * numbers as a loud one. The comparison with the loudest neighbour keeps vibrato from counting as onsets.
 *
 * @see Böck and Widmer, "Maximum filter vibrato suppression for onset detection", DAFx 2013
 * @see Klapuri, Eronen and Astola, "Analysis of the meter of acoustic musical signals", IEEE TASLP 14, 2006
 */
export function createOnsetKernel(): OnsetKernel {
  const spectra = createPowerSpectra({ size: FFT_SIZE, hop: ONSET_HOP, window: hannWindow(FFT_SIZE) });
  const bank = createMelFilterBank({
    sampleRate: ONSET_SAMPLE_RATE,
    fftSize: FFT_SIZE,
    bandCount: BAND_COUNT,
    minHz: MIN_HZ,
    maxHz: MAX_HZ,
  });
  const range = bank.centresHz.map((hz) => (hz < LOW_MAX_HZ ? 0 : hz < HIGH_MIN_HZ ? 1 : 2));
  const decay = Math.exp(-ONSET_HOP / ONSET_SAMPLE_RATE / LEVEL_DECAY_SECONDS);
  const bands = new Float32Array(BAND_COUNT);
  const history = Array.from({ length: LAG + 1 }, () => new Float32Array(BAND_COUNT));
  const ranges: [number[], number[], number[]] = [[], [], []];
  const drum: number[] = [];
  const drumHistory = new Float32Array(LAG + 1);
  let level = LEVEL_FLOOR;
  let drumLevel = LEVEL_FLOOR;

  const onSpectrum = ({ power, index }: PowerSpectrum): void => {
    bank.apply(power, bands);
    let loudest = 0;
    for (let band = 0; band < BAND_COUNT; band++) {
      bands[band] = Math.sqrt(bands[band] ?? 0);
      loudest = Math.max(loudest, bands[band] ?? 0);
    }
    level = Math.max(loudest, level * decay, LEVEL_FLOOR);

    const now = history[index % history.length] ?? bands;
    const before = history[(index + 1) % history.length] ?? bands;
    for (let band = 0; band < BAND_COUNT; band++)
      now[band] = Math.log1p((COMPRESSION * (bands[band] ?? 0)) / level);
    const rise = [0, 0, 0];
    for (let band = 0; band < BAND_COUNT; band++) {
      const old = Math.max(before[band - 1] ?? 0, before[band] ?? 0, before[band + 1] ?? 0);
      const which = range[band] ?? 0;
      rise[which] = (rise[which] ?? 0) + Math.max(0, (now[band] ?? 0) - old);
    }
    let drumPower = 0;
    for (let bin = DRUM_MIN_BIN; bin <= DRUM_MAX_BIN; bin++) drumPower += power[bin] ?? 0;
    drumHistory[index % drumHistory.length] = drumPower;
    const drumRise = Math.max(0, drumPower - (drumHistory[(index + 1) % drumHistory.length] ?? 0));
    drumLevel = Math.max(drumRise, drumLevel * decay, LEVEL_FLOOR);
    drum.push(index < LAG ? 0 : drumRise / drumLevel);
    ranges.forEach((list, which) => list.push(index < LAG ? 0 : (rise[which] ?? 0) / BAND_COUNT));
  };

  return {
    push: (block) => spectra.push(block, onSpectrum),
    finish() {
      spectra.finish(onSpectrum);
      const [low, middle, high] = ranges;
      return {
        low: Float32Array.from(low),
        middle: Float32Array.from(middle),
        high: Float32Array.from(high),
        drum: Float32Array.from(drum),
      };
    },
    dispose: () => spectra.dispose(),
  };
}

import { estimateDanceability, estimateValence } from '../feature/character.ts';
import { estimateEnergy } from '../feature/energy.ts';
import { CONTRAST_BANDS } from '../feature/spectral-contrast.ts';
import type { SpectralColumns, SpectralMeans } from '../feature/spectral-track.ts';
import { ONSET_RATE, type OnsetStrength } from '../rhythm/onset-envelope.ts';
import type { Rhythm } from '../rhythm/rhythm.ts';
import { toRhythmFields } from '../rhythm/rhythm-fields.ts';
import type { LabelledSpan } from '../tonal/chords.ts';
import type { KeyEstimate } from '../tonal/key.ts';
import type { KeySpan } from '../tonal/key-changes.ts';
import { roundTo, toRows } from './rounding.ts';

/** Probability from which a second counts as sung. */
const SUNG = 0.5;

/** Returns tempo, beats and bars, and what else they may be, in the field names of the service. */
export function describeRhythm(rhythm: Rhythm) {
  return {
    ...toRhythmFields(rhythm),
    rhythm_alternatives: (rhythm.alternatives ?? []).map((alternative) => ({
      ...alternative,
      probability: roundTo(alternative.probability, 3),
    })),
  };
}

/** Returns key and chords in the field names of the service, times to a tenth of a millisecond. */
export function describeHarmony(harmony: {
  key: KeyEstimate;
  keys: KeySpan[];
  chords: readonly LabelledSpan[];
}) {
  const { key, keys, chords } = harmony;
  return {
    key: key.key,
    camelot: key.camelot,
    key_confidence: key.confidence,
    keys,
    chords: describeSpans(chords),
  };
}

/** Returns loudness, energy and character in the field names of the service. */
export function describeEnergy(measured: {
  means: SpectralMeans;
  columnSeconds: number;
  onsets: OnsetStrength;
  loudnessLufs: number;
  loudnessSeconds: readonly number[];
  truePeakDb: number;
  rhythm: Rhythm;
  key: KeyEstimate;
  durationSeconds: number;
}) {
  const { means, onsets, loudnessLufs, rhythm, key, durationSeconds } = measured;
  const curves = [onsets.low, onsets.middle, onsets.high];
  const onsetMean = curves.reduce((sum, curve) => sum + meanBetween(curve, 0, curve.length), 0);
  const energy = estimateEnergy({ loudnessLufs, onsetMean, rolloffHz: means.rolloffHz });
  const curve = measured.loudnessSeconds.map((lufs, second) => {
    const [from, to] = [second / measured.columnSeconds, (second + 1) / measured.columnSeconds];
    return estimateEnergy({
      loudnessLufs: lufs,
      onsetMean: curves.reduce((sum, numbers) => {
        return sum + meanBetween(numbers, second * ONSET_RATE, (second + 1) * ONSET_RATE);
      }, 0),
      rolloffHz: meanBetween(means.columns.rolloffHz, from, to),
    });
  });
  const danceability = estimateDanceability({
    tempo: rhythm.bpm,
    pulseClarity: rhythm.confidence,
    isSteady: rhythm.isStable,
    drumMean: meanBetween(onsets.drum, 0, onsets.drum.length),
    durationSeconds,
  });
  const valence = estimateValence({
    mode: key.key === '' ? 0 : key.key.endsWith('major') ? 1 : -1,
    keyConfidence: key.confidence,
    tempo: rhythm.bpm,
    rolloffHz: means.rolloffHz,
    durationSeconds,
  });
  return {
    energy: roundTo(energy, 3),
    energy_curve: curve.map((value) => roundTo(value, 3)),
    loudness_lufs: roundTo(loudnessLufs, 2),
    true_peak_db: roundTo(measured.truePeakDb, 2),
    danceability: roundTo(danceability.value, 3),
    danceability_confidence: roundTo(danceability.confidence, 3),
    valence: roundTo(valence.value, 3),
    valence_confidence: roundTo(valence.confidence, 3),
  };
}

/** Returns vocal activity in the field names of the service, from the probability of singing in each second. */
export function describeVocals(vocals: Float32Array) {
  const sung = vocals.reduce((count, value) => count + Number(value >= SUNG), 0);
  return {
    vocal_presence: roundTo(sung / Math.max(1, vocals.length), 3),
    vocal_curve: Array.from(vocals, (value) => roundTo(value, 2)),
  };
}

/** Returns the spectral means in the field names of the service. */
export function describeTimbre(means: SpectralMeans) {
  return {
    spectral_centroid: roundTo(means.centroidHz, 2),
    spectral_rolloff: roundTo(means.rolloffHz, 2),
    spectral_bandwidth: roundTo(means.bandwidthHz, 2),
    spectral_contrast: means.contrastDb.map((value) => roundTo(value, 2)),
    zero_crossing_rate: roundTo(means.zeroCrossingRate, 5),
  };
}

/** Returns the spectral features over time, rounded so that an hour takes about two megabytes of JSON. */
export function describeTimbreOverTime(columns: SpectralColumns) {
  const rounded = (values: readonly number[], decimals: number) =>
    values.map((value) => roundTo(value, decimals));
  return {
    spectral_contrast: toRows(columns.contrastDb, CONTRAST_BANDS, 1),
    spectral_centroid: rounded(columns.centroidHz, 0),
    spectral_rolloff: rounded(columns.rolloffHz, 0),
    spectral_bandwidth: rounded(columns.bandwidthHz, 0),
    zero_crossing_rate: rounded(columns.zeroCrossingRate, 4),
  };
}

/** Returns the sections in the field names of the service, times to a tenth of a millisecond. */
export function describeStructure(sections: readonly LabelledSpan[]) {
  return { sections: describeSpans(sections) };
}

function describeSpans(spans: readonly LabelledSpan[]): LabelledSpan[] {
  return spans.map(({ start, end, label }) => ({ start: roundTo(start, 4), end: roundTo(end, 4), label }));
}

function meanBetween(values: ArrayLike<number>, from: number, to: number): number {
  const first = Math.max(0, Math.round(from));
  const last = Math.min(values.length, Math.round(to));
  let sum = 0;
  for (let at = first; at < last; at++) sum += values[at] ?? 0;
  return last > first ? sum / (last - first) : 0;
}

import { estimateDanceability, estimateValence } from '../feature/character.ts';
import { estimateEnergy } from '../feature/energy.ts';
import { CONTRAST_BANDS } from '../feature/spectral-contrast.ts';
import type { SpectralColumns, SpectralMeans } from '../feature/spectral-track.ts';
import { ONSET_RATE, type OnsetStrength } from '../rhythm/onset-envelope.ts';
import { tempoCurve } from '../rhythm/tempo-curve.ts';
import type { Rhythm } from '../rhythm/track-rhythm.ts';
import type { LabelledSpan } from '../tonal/chords.ts';
import type { KeyEstimate } from '../tonal/key.ts';
import { roundTo, toRows } from './rounding.ts';
import type { TrackAnalysis } from './track-analysis.ts';

const SAMPLE_RATE = 22_050;
const BEAT_HOP = 512;
/** From which likelihood on a second counts as sung. */
const SUNG = 0.5;

/** Tempo, beats and bars in the service's field names. */
export function describeRhythm(rhythm: Rhythm): Partial<TrackAnalysis> {
  return {
    tempo: rhythm.bpm,
    tempo_confidence: roundTo(rhythm.confidence, 3),
    tempo_stable: rhythm.isStable,
    tempo_curve: tempoCurve(rhythm.beats, rhythm.isStable).map(({ time, bpm }) => ({
      time: roundTo(time, 3),
      bpm,
    })),
    time_signature: rhythm.timeSignature,
    beats: rhythm.beats.map((beat) => roundTo(beat, 4)),
    beat_frames: rhythm.beats.map((beat) => Math.round((roundTo(beat, 4) * SAMPLE_RATE) / BEAT_HOP)),
    downbeats: rhythm.downbeats.map((beat) => roundTo(beat, 4)),
  };
}

/** Loudness, energy and character in the service's field names. */
export function describeEnergy(heard: {
  means: SpectralMeans;
  columnSeconds: number;
  onsets: OnsetStrength;
  loudnessLufs: number;
  loudnessSeconds: readonly number[];
  truePeakDb: number;
  rhythm: Rhythm;
  key: KeyEstimate;
  durationSeconds: number;
}): Partial<TrackAnalysis> {
  const { means, onsets, loudnessLufs, rhythm, key, durationSeconds } = heard;
  const curves = [onsets.low, onsets.middle, onsets.high];
  const onsetMean = curves.reduce((sum, curve) => sum + meanBetween(curve, 0, curve.length), 0);
  const energy = estimateEnergy({ loudnessLufs, onsetMean, rolloffHz: means.rolloffHz });
  const curve = heard.loudnessSeconds.map((lufs, second) => {
    const [from, to] = [second / heard.columnSeconds, (second + 1) / heard.columnSeconds];
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
    true_peak_db: roundTo(heard.truePeakDb, 2),
    danceability: roundTo(danceability.value, 3),
    danceability_confidence: roundTo(danceability.confidence, 3),
    valence: roundTo(valence.value, 3),
    valence_confidence: roundTo(valence.confidence, 3),
  };
}

/** Where somebody sings, second by second, and in which share of the seconds. */
export function describeVoice(voice: Float32Array): Partial<TrackAnalysis> {
  const sung = voice.reduce((count, value) => count + Number(value >= SUNG), 0);
  return {
    vocal_presence: roundTo(sung / Math.max(1, voice.length), 3),
    vocal_curve: Array.from(voice, (value) => roundTo(value, 2)),
  };
}

/** Timbre in the service's field names. */
export function describeTimbre(means: SpectralMeans): Partial<TrackAnalysis> {
  return {
    spectral_centroid: roundTo(means.centroidHz, 2),
    spectral_rolloff: roundTo(means.rolloffHz, 2),
    spectral_bandwidth: roundTo(means.bandwidthHz, 2),
    spectral_contrast: means.contrastDb.map((value) => roundTo(value, 2)),
    zero_crossing_rate: roundTo(means.zeroCrossingRate, 5),
  };
}

/** Timbre over time in the service's field names, as exact as it can be told and no larger: two megabytes an hour. */
export function describeTimbreOverTime(columns: SpectralColumns): TrackAnalysis['features'] {
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

/** Spans with times to a tenth of a millisecond. */
export function describeSpans(spans: readonly LabelledSpan[]): LabelledSpan[] {
  return spans.map(({ start, end, label }) => ({ start: roundTo(start, 4), end: roundTo(end, 4), label }));
}

function meanBetween(values: ArrayLike<number>, from: number, to: number): number {
  const first = Math.max(0, Math.round(from));
  const last = Math.min(values.length, Math.round(to));
  let sum = 0;
  for (let at = first; at < last; at++) sum += values[at] ?? 0;
  return last > first ? sum / (last - first) : 0;
}

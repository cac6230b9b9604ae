import { estimateEnergy } from '../feature/energy.ts';
import { createLoudnessMeter } from '../feature/loudness.ts';
import { MFCC_COUNT } from '../feature/mfcc.ts';
import { createSpectralTrackKernel, type SpectralMeans } from '../feature/spectral-track.ts';
import type { OnsetStrength } from '../rhythm/onset-envelope.ts';
import { createOnsetKernel } from '../rhythm/onset-strength.ts';
import { trackRhythm } from '../rhythm/track-rhythm.ts';
import { estimateTuning, foldToChroma, toUnitPeak } from '../tonal/chroma.ts';
import { findKey } from '../tonal/key.ts';
import { createPitchKernel, PITCH_HOP } from '../tonal/pitch-kernel.ts';
import { createMonoStream } from './mono-stream.ts';
import type { FeatureName, TrackAnalysis } from './track-analysis.ts';

const SAMPLE_RATE = 22_050;
const BEAT_HOP = 512;
const FRAME_SECONDS = PITCH_HOP / SAMPLE_RATE;

/** Analyses one track as it streams by. */
export interface TrackAnalyzer {
  /** Takes in the next samples, one array of equal length per audio channel; any length, nothing is kept of it. */
  push(block: readonly Float32Array[]): void;
  /** What was found. To be called once; the analyzer is spent afterwards. */
  finish(): TrackAnalysis;
}

/**
 * Analyses a track in one pass: samples → loudness at their own rate, and → mono at 22,050 Hz → timbre, onsets and
 * pitch, each piece by piece; `finish` then settles tempo, beats and key from what each hop left behind, about
 * half a megabyte a minute. `loadFft` must have finished on this thread.
 *
 * @param options.sampleRate samples a second of what is pushed, a whole number
 * @param options.channels audio channels of what is pushed
 * @param options.features what to find out; nothing else is computed
 * @throws RangeError when nothing is asked for, or the rate or the number of audio channels is below 1
 * @spec Analysis
 */
export function createTrackAnalyzer(options: {
  sampleRate: number;
  channels: number;
  features: readonly FeatureName[];
}): TrackAnalyzer {
  const { sampleRate, channels, features } = options;
  if (features.length === 0) throw new RangeError('features must name at least one feature (got none)');
  if (!Number.isInteger(channels) || channels < 1) {
    throw new RangeError(`a track must have 1 audio channel or more (got ${channels})`);
  }
  const wants = (...names: FeatureName[]): boolean => names.some((name) => isWanted(features, name));
  const stream = createMonoStream({ fromRate: sampleRate, toRate: SAMPLE_RATE, channels });
  const loudness = wants('energy') ? createLoudnessMeter({ sampleRate, channels }) : undefined;
  const timbre = wants('spectral', 'mfcc', 'energy')
    ? createSpectralTrackKernel({
        sampleRate: SAMPLE_RATE,
        shape: wants('spectral', 'energy'),
        mfcc: wants('mfcc'),
      })
    : undefined;
  const onset = wants('tempo', 'energy') ? createOnsetKernel() : undefined;
  const pitch = wants('tempo', 'key', 'chroma') ? createPitchKernel() : undefined;
  let samples = 0;

  const listen = (mono: Float32Array): void => {
    timbre?.push(mono);
    onset?.push(mono);
    pitch?.push(mono);
  };

  return {
    push(block) {
      samples += block[0]?.length ?? 0;
      const cleaned = stream.clean(block);
      loudness?.push(cleaned);
      listen(stream.push(cleaned));
    },
    finish() {
      listen(stream.flush());
      const durationSeconds = samples / sampleRate;
      const means = timbre?.finish();
      const onsets = onset?.finish();
      const columns = pitch?.finish().columns ?? [];
      for (const kernel of [timbre, onset, pitch]) kernel?.dispose();
      const tuning = estimateTuning(columns);
      const chroma = columns.map((column) => foldToChroma(column, tuning));

      return {
        duration_seconds: durationSeconds,
        ...(wants('tempo') && onsets && describeRhythm(onsets, durationSeconds, chroma)),
        ...(wants('key') && describeKey(chroma)),
        ...(means && onsets && loudness && describeEnergy(means, onsets, loudness.finish())),
        ...(wants('spectral') && means && describeTimbre(means)),
        features: {
          ...(wants('mfcc') && means && { mfcc: toRows(means.mfcc, MFCC_COUNT) }),
          ...(wants('chroma') && { chroma: toRows(chroma.map(toUnitPeak), 12) }),
          ...(wants('mfcc', 'chroma') && { frame_seconds: FRAME_SECONDS }),
        },
      };
    },
  };
}

function isWanted(features: readonly FeatureName[], name: FeatureName): boolean {
  return features.includes(name) || features.includes('all');
}

function describeRhythm(
  onsets: OnsetStrength,
  durationSeconds: number,
  chroma: readonly Float32Array[],
): Partial<TrackAnalysis> {
  const chromaAt = (fromSeconds: number, toSeconds: number): Float32Array => {
    const from = Math.round(fromSeconds / FRAME_SECONDS);
    const to = Math.max(from + 1, Math.round(toSeconds / FRAME_SECONDS));
    const sum = new Float32Array(12);
    for (const column of chroma.slice(from, to)) {
      for (let pitchClass = 0; pitchClass < 12; pitchClass++) {
        sum[pitchClass] = (sum[pitchClass] ?? 0) + (column[pitchClass] ?? 0);
      }
    }
    return sum;
  };
  const rhythm = trackRhythm(onsets, durationSeconds, chromaAt);
  return {
    tempo: rhythm.bpm,
    tempo_confidence: roundTo(rhythm.confidence, 3),
    tempo_stable: rhythm.isStable,
    time_signature: rhythm.beatsPerBar === 0 ? '' : `${rhythm.beatsPerBar}/4`,
    beats: rhythm.beats.map((beat) => roundTo(beat, 4)),
    beat_frames: rhythm.beats.map((beat) => Math.round((beat * SAMPLE_RATE) / BEAT_HOP)),
    downbeats: rhythm.downbeats.map((beat) => roundTo(beat, 4)),
  };
}

function describeKey(chroma: readonly Float32Array[]): Partial<TrackAnalysis> {
  const { key, camelot, confidence } = findKey(chroma);
  return { key, camelot, key_confidence: confidence };
}

function describeEnergy(
  means: SpectralMeans,
  onsets: OnsetStrength,
  loudnessLufs: number,
): Partial<TrackAnalysis> {
  const total = [onsets.low, onsets.middle, onsets.high].reduce(
    (sum, curve) => curve.reduce((part, value) => part + value, sum),
    0,
  );
  const onsetMean = total / Math.max(1, onsets.low.length);
  const energy = estimateEnergy({ loudnessLufs, onsetMean, rolloffHz: means.rolloffHz });
  return { energy: roundTo(energy, 3), loudness_lufs: roundTo(loudnessLufs, 2) };
}

function describeTimbre(means: SpectralMeans): Partial<TrackAnalysis> {
  return {
    spectral_centroid: roundTo(means.centroidHz, 2),
    spectral_rolloff: roundTo(means.rolloffHz, 2),
    spectral_bandwidth: roundTo(means.bandwidthHz, 2),
    spectral_contrast: means.contrastDb.map((value) => roundTo(value, 2)),
    zero_crossing_rate: roundTo(means.zeroCrossingRate, 5),
  };
}

/** Columns as rows of plain numbers with three decimals, which is what goes into a database and over a wire. */
function toRows(columns: readonly Float32Array[], rowCount: number): number[][] {
  return Array.from({ length: rowCount }, (_, row) => columns.map((column) => roundTo(column[row] ?? 0, 3)));
}

function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  // Adding 0 turns −0 into 0.
  return Math.round(value * factor) / factor + 0;
}

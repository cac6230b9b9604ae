import { createLoudnessMeter } from '../feature/loudness.ts';
import { MFCC_COUNT } from '../feature/mfcc.ts';
import { createSingingKernel } from '../feature/singing.ts';
import { createSpectralTrackKernel } from '../feature/spectral-track.ts';
import { createTruePeakMeter } from '../feature/true-peak.ts';
import { createOnsetKernel } from '../rhythm/onset-strength.ts';
import { trackRhythm } from '../rhythm/track-rhythm.ts';
import { findSections } from '../structure/sections.ts';
import { findChords, type LabelledSpan } from '../tonal/chords.ts';
import { estimateTuning, foldToChroma } from '../tonal/chroma.ts';
import { sliceHarmony } from '../tonal/harmony-slices.ts';
import { findKey } from '../tonal/key.ts';
import { findKeyChanges } from '../tonal/key-changes.ts';
import { createPitchKernel, PITCH_HOP } from '../tonal/pitch-kernel.ts';
import {
  describeEnergy,
  describeRhythm,
  describeSpans,
  describeTimbre,
  describeTimbreOverTime,
  describeVoice,
} from './describe-track.ts';
import { createMonoStream } from './mono-stream.ts';
import { toRows } from './rounding.ts';
import type { FeatureName, TrackAnalysis } from './track-analysis.ts';

const SAMPLE_RATE = 22_050;
const FRAME_SECONDS = PITCH_HOP / SAMPLE_RATE;

/** Analyses one track as it streams by. */
export interface TrackAnalyzer {
  /** Takes in the next samples, one array of equal length per audio channel; any length, nothing is kept of it. */
  push(block: readonly Float32Array[]): void;
  /**
   * What was found. To be called once; the analyzer is spent afterwards.
   *
   * @param onProgress told between the steps which part of this work is done, 0 to 1: an hour takes seconds
   */
  finish(onProgress?: (fraction: number) => void): TrackAnalysis;
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
 * @spec Analysis results
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
  const wantsEnergy = wants('energy');
  const wantsRhythm = wants('tempo', 'key', 'energy');
  const loudness = wantsEnergy ? createLoudnessMeter({ sampleRate, channels }) : undefined;
  const truePeak = wantsEnergy ? createTruePeakMeter(channels) : undefined;
  const timbre = wants('spectral', 'mfcc', 'energy', 'tempo')
    ? createSpectralTrackKernel({
        sampleRate: SAMPLE_RATE,
        shape: wants('spectral', 'energy'),
        mfcc: wants('mfcc', 'tempo'),
      })
    : undefined;
  const onset = wantsRhythm ? createOnsetKernel() : undefined;
  const singing = wants('tempo', 'energy') ? createSingingKernel() : undefined;
  const pitch = wantsRhythm || wants('chroma') ? createPitchKernel({ chroma: wants('chroma') }) : undefined;
  let samples = 0;

  const listen = (mono: Float32Array): void => {
    timbre?.push(mono);
    onset?.push(mono);
    pitch?.push(mono);
    singing?.push(mono);
  };

  return {
    push(block) {
      samples += block[0]?.length ?? 0;
      const cleaned = stream.clean(block);
      loudness?.push(cleaned);
      truePeak?.push(cleaned);
      listen(stream.push(cleaned));
    },
    finish(onProgress = () => {}) {
      listen(stream.flush());
      const durationSeconds = samples / sampleRate;
      const means = timbre?.finish();
      const onsets = onset?.finish();
      const heard = pitch?.finish();
      const voice = singing?.finish();
      for (const kernel of [timbre, onset, pitch, singing]) kernel?.dispose();
      const found: TrackAnalysis = {
        duration_seconds: durationSeconds,
        ...(wants('spectral') && means && describeTimbre(means)),
        features: {
          ...(wants('mfcc') && means && { mfcc: toRows(means.mfcc, MFCC_COUNT, 3) }),
          ...(wants('chroma') && heard && { chroma: toRows(heard.chroma, 12, 3) }),
          ...(wants('spectral') && means && describeTimbreOverTime(means.columns)),
          ...(wants('mfcc', 'chroma', 'spectral') && { frame_seconds: FRAME_SECONDS }),
        },
      };
      if (!onsets || !heard) return found;
      if (voice) Object.assign(found, describeVoice(voice));

      const tuning = estimateTuning(heard.columns);
      const chroma = heard.columns.map((column) => foldToChroma(column, tuning));
      onProgress(0.2);
      const rhythm = trackRhythm(onsets, durationSeconds, (from, to) => sumBetween(chroma, from, to));
      onProgress(0.6);
      const harmony = sliceHarmony({
        chroma,
        bass: heard.bass.map((column) => foldToChroma(column, tuning)),
        columnSeconds: FRAME_SECONDS,
        beats: rhythm.beats,
        downbeats: rhythm.downbeats,
        durationSeconds,
      });
      const key = findKey(chroma, findChords(harmony, ''));
      if (wants('tempo') && means && voice) {
        const { mfcc } = means;
        const sound = { chroma, mfcc, columnSeconds: FRAME_SECONDS, onsets, voice };
        Object.assign(found, describeRhythm(rhythm), {
          sections: describeSpans(findSections(sound, rhythm.downbeats, durationSeconds)),
        });
      }
      onProgress(0.8);
      if (wants('key')) {
        Object.assign(found, {
          key: key.key,
          camelot: key.camelot,
          key_confidence: key.confidence,
          keys: findKeyChanges(chroma, FRAME_SECONDS, key.key, durationSeconds),
          chords: describeSpans(key.key === '' ? noChords(durationSeconds) : findChords(harmony, key.key)),
        });
      }
      if (wantsEnergy && means && loudness && truePeak) {
        const loudnessLufs = loudness.finish();
        const loudnessSeconds = loudness.seconds();
        const truePeakDb = truePeak.finish();
        const columnSeconds = FRAME_SECONDS;
        Object.assign(
          found,
          describeEnergy({
            means,
            columnSeconds,
            onsets,
            loudnessLufs,
            loudnessSeconds,
            truePeakDb,
            rhythm,
            key,
            durationSeconds,
          }),
        );
      }
      onProgress(1);
      return found;
    },
  };
}

/** What is said of sound without tonality: that no chord is heard in it. */
function noChords(durationSeconds: number): LabelledSpan[] {
  return durationSeconds > 0 ? [{ start: 0, end: durationSeconds, label: 'N' }] : [];
}

function isWanted(features: readonly FeatureName[], name: FeatureName): boolean {
  return features.includes(name) || features.includes('all');
}

/** The sum of the columns between two times in seconds, of at least one. */
function sumBetween(columns: readonly Float32Array[], fromSeconds: number, toSeconds: number): Float32Array {
  const from = Math.round(fromSeconds / FRAME_SECONDS);
  const to = Math.max(from + 1, Math.round(toSeconds / FRAME_SECONDS));
  const sum = new Float32Array(12);
  for (const column of columns.slice(from, to)) {
    for (let pitchClass = 0; pitchClass < 12; pitchClass++) {
      sum[pitchClass] = (sum[pitchClass] ?? 0) + (column[pitchClass] ?? 0);
    }
  }
  return sum;
}

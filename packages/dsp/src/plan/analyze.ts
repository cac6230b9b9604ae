import { createLoudnessMeter } from '../feature/loudness.ts';
import { MFCC_COUNT } from '../feature/mfcc.ts';
import { createSingingDetector } from '../feature/singing.ts';
import { createSpectralTrackKernel } from '../feature/spectral-track.ts';
import { createTruePeakMeter } from '../feature/true-peak.ts';
import { createBeatNetworkKernel, loadBeatNetwork } from '../rhythm/beat-network.ts';
import { decodeRhythm } from '../rhythm/decoded-rhythm.ts';
import { createOnsetKernel } from '../rhythm/onset-strength.ts';
import { rhythmEvidence } from '../rhythm/rhythm-evidence.ts';
import { rhythmWeights } from '../rhythm/rhythm-weights.ts';
import { findSections } from '../structure/sections.ts';
import { findChords, type LabelledSpan } from '../tonal/chords.ts';
import { estimateTuning, foldToChroma } from '../tonal/chroma.ts';
import { createChromaSums } from '../tonal/chroma-sums.ts';
import { sliceHarmony } from '../tonal/harmony-slices.ts';
import { findKey } from '../tonal/key.ts';
import { findKeyChanges } from '../tonal/key-changes.ts';
import { createPitchKernel, PITCH_HOP } from '../tonal/pitch-kernel.ts';
import { loadFft } from '../transform/fft.ts';
import {
  describeEnergy,
  describeHarmony,
  describeRhythm,
  describeStructure,
  describeTimbre,
  describeTimbreOverTime,
  describeVocals,
} from './describe-track.ts';
import { createMonoStream } from './mono-stream.ts';
import { toRows } from './rounding.ts';
import { type FeatureName, joinGroups, type TrackAnalysis } from './track-analysis.ts';

const SAMPLE_RATE = 22_050;
const FRAME_SECONDS = PITCH_HOP / SAMPLE_RATE;

/** Analyses one track in a single pass over its samples. */
export interface TrackAnalyzer {
  /**
   * Consumes the next samples, one array of equal length per audio channel; any length. The arrays are not retained.
   */
  push(block: readonly Float32Array[]): void;
  /**
   * Returns the result. May be called once.
   *
   * @param onProgress receives the completed fraction of this call, 0 to 1, between its steps: an hour of audio takes
   *   seconds
   */
  finish(onProgress?: (fraction: number) => void): TrackAnalysis;
}

/** Loads what an analysis needs, once per thread: the transform and the beat network. Further calls cost nothing. */
export async function loadAnalysis(): Promise<void> {
  await Promise.all([loadFft(), loadBeatNetwork()]);
}

/**
 * Creates the analyser of a track, which processes it block by block.
 *
 * samples → loudness at the input rate, and → mono at 22,050 Hz → timbre, onsets, beat network and pitch. `finish`
 * derives tempo, beats and key from the features of all hops, which take about half a megabyte per minute.
 * {@link loadAnalysis} must have finished on this thread.
 *
 * @param options.sampleRate sample rate of the input in Hz, an integer
 * @param options.channels audio channels of the input
 * @param options.features requested features; nothing else is computed
 * @throws RangeError if no feature is requested, or the rate or the number of audio channels is below 1
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
  // It uses the spectra of the timbre, which all features that need it have.
  const singing = wants('tempo', 'energy') ? createSingingDetector() : undefined;
  const timbre = wants('spectral', 'mfcc', 'energy', 'tempo')
    ? createSpectralTrackKernel({
        sampleRate: SAMPLE_RATE,
        shape: wants('spectral', 'energy'),
        mfcc: wants('mfcc', 'tempo'),
        ...(singing && { onSpectrum: singing.add }),
      })
    : undefined;
  const onset = wantsRhythm ? createOnsetKernel() : undefined;
  const network = wantsRhythm ? createBeatNetworkKernel() : undefined;
  const pitch = wantsRhythm || wants('chroma') ? createPitchKernel({ chroma: wants('chroma') }) : undefined;
  let samples = 0;

  const feed = (mono: Float32Array): void => {
    timbre?.push(mono);
    onset?.push(mono);
    network?.push(mono);
    pitch?.push(mono);
  };

  return {
    push(block) {
      samples += block[0]?.length ?? 0;
      const cleaned = stream.clean(block);
      loudness?.push(cleaned);
      truePeak?.push(cleaned);
      feed(stream.push(cleaned));
    },
    finish(onProgress = () => {}) {
      feed(stream.flush());
      const durationSeconds = samples / sampleRate;
      const means = timbre?.finish();
      const onsets = onset?.finish();
      const activations = network?.finish();
      const pitches = pitch?.finish();
      const vocals = singing?.finish();
      for (const kernel of [timbre, onset, network, pitch]) kernel?.dispose();
      const always = {
        duration_seconds: durationSeconds,
        features: {
          ...(wants('mfcc') && means && { mfcc: toRows(means.mfcc, MFCC_COUNT, 3) }),
          ...(wants('chroma') && pitches && { chroma: toRows(pitches.chroma, 12, 3) }),
          ...(wants('spectral') && means && describeTimbreOverTime(means.columns)),
          ...(wants('mfcc', 'chroma', 'spectral') && { frame_seconds: FRAME_SECONDS }),
        },
      };
      const timbreFields = wants('spectral') && means ? describeTimbre(means) : null;
      const vocalFields = onsets && vocals ? describeVocals(vocals) : null;
      if (!onsets || !activations || !pitches) {
        return joinGroups(always, {
          timbre: timbreFields,
          vocals: vocalFields,
          rhythm: null,
          structure: null,
          harmony: null,
          energy: null,
        });
      }

      const tuning = estimateTuning(pitches.columns);
      const chroma = pitches.columns.map((column) => foldToChroma(column, tuning));
      onProgress(0.2);
      const rhythm = decodeRhythm(
        rhythmEvidence(onsets, activations, durationSeconds, createChromaSums(chroma)),
        rhythmWeights,
      );
      onProgress(0.6);
      const slices = sliceHarmony({
        chroma,
        bass: pitches.bass.map((column) => foldToChroma(column, tuning)),
        columnSeconds: FRAME_SECONDS,
        beats: rhythm.beats,
        downbeats: rhythm.downbeats,
        durationSeconds,
      });
      const key = findKey(chroma, findChords(slices, ''));
      const sectionsOf = (mfcc: readonly Float32Array[], voice: Float32Array): LabelledSpan[] =>
        findSections(
          { chroma, mfcc, columnSeconds: FRAME_SECONDS, onsets, voice },
          rhythm.downbeats,
          durationSeconds,
        );
      const structure =
        wants('tempo') && means && vocals ? describeStructure(sectionsOf(means.mfcc, vocals)) : null;
      onProgress(0.8);
      const harmony = wants('key')
        ? describeHarmony({
            key,
            keys: findKeyChanges(chroma, FRAME_SECONDS, key.key, durationSeconds),
            chords: key.key === '' ? noChords(durationSeconds) : findChords(slices, key.key),
          })
        : null;
      const energy =
        wantsEnergy && means && loudness && truePeak
          ? describeEnergy({
              means,
              columnSeconds: FRAME_SECONDS,
              onsets,
              loudnessLufs: loudness.finish(),
              loudnessSeconds: loudness.seconds(),
              truePeakDb: truePeak.finish(),
              rhythm,
              key,
              durationSeconds,
            })
          : null;
      onProgress(1);
      return joinGroups(always, {
        rhythm: wants('tempo') ? describeRhythm(rhythm) : null,
        structure,
        harmony,
        energy,
        vocals: vocalFields,
        timbre: timbreFields,
      });
    },
  };
}

/** Returns the chords of audio without tonality: one span without a chord. */
function noChords(durationSeconds: number): LabelledSpan[] {
  return durationSeconds > 0 ? [{ start: 0, end: durationSeconds, label: 'N' }] : [];
}

function isWanted(features: readonly FeatureName[], name: FeatureName): boolean {
  return features.includes(name) || features.includes('all');
}

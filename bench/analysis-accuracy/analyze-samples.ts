import { createTrackAnalyzer } from '@stem-studio/dsp/plan/analyze';
import { createMonoStream } from '@stem-studio/dsp/plan/mono-stream';
import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import { type EvidenceKind, type EvidenceRhythm, rhythmsByEvidence } from './rhythms-by-evidence.ts';

/** Sample rate of the measured audio in Hz. */
export const SAMPLE_RATE = 44_100;

const RHYTHM_RATE = 22_050;
const BLOCK = 16_384;

/** Analyses blocks of stereo audio at 44,100 Hz: tempo, beats, sections, key and chords. */
export function analyzeBlocks(blocks: readonly Float32Array[][]): TrackAnalysis {
  const analyzer = createTrackAnalyzer({ sampleRate: SAMPLE_RATE, channels: 2, features: ['tempo', 'key'] });
  for (const block of blocks) analyzer.push(block);
  return analyzer.finish();
}

/** Divides audio into blocks, one array per audio channel each. */
export function blocksOf(samples: readonly Float32Array[]): Float32Array[][] {
  const length = samples[0]?.length ?? 0;
  return Array.from({ length: Math.ceil(length / BLOCK) }, (_, index) =>
    samples.map((samples) => samples.subarray(index * BLOCK, (index + 1) * BLOCK)),
  );
}

/** Returns what each kind of evidence alone would choose in stereo audio at 44,100 Hz. */
export function evidenceOf(
  samples: readonly Float32Array[],
): ReadonlyMap<EvidenceKind, EvidenceRhythm | null> {
  const stream = createMonoStream({ fromRate: SAMPLE_RATE, toRate: RHYTHM_RATE, channels: 2 });
  const parts: Float32Array[] = blocksOf(samples).map((block) => stream.push(stream.clean(block)).slice());
  parts.push(stream.flush());
  const mono = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    mono.set(part, at);
    at += part.length;
  }
  return rhythmsByEvidence(mono, (samples[0]?.length ?? 0) / SAMPLE_RATE);
}

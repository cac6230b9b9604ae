import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { DetectedAnalysis, FeatureName } from '@stem-studio/contract/resources/analysis';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createTrackAnalyzer, loadAnalysis } from '@stem-studio/dsp/plan/analyze';
import { readEnd } from '../../platform/files/read-end.ts';
import { serveProcess } from '../../platform/process/serve-process.ts';
import { toDetectedAnalysis, toDspFeatures } from './to-detected-analysis.ts';

/** Request to the analysis process. */
export interface AnalyzeRequest {
  /** Absolute path of the audio file. */
  readonly path: string;
  readonly features: readonly FeatureName[];
  readonly maxDurationSeconds: number;
}

/**
 * Fraction of the work that is done when the last sample has been read. The rest takes seconds for an hour of audio.
 */
const DECODED_FRACTION = 0.9;

/**
 * Analyses a file in one pass: `bytes → decode → features of each hop → features of the track`. Progress is a
 * fraction.
 */
serveProcess<AnalyzeRequest, DetectedAnalysis>(async ({ path, features, maxDurationSeconds }, report) => {
  await loadAnalysis();
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
  const { size } = await stat(path);
  const source = await openAudio(bytes, { maxDurationSeconds, readEnd: (count) => readEnd(path, count) });
  try {
    const { sample_rate, channels, declared_frames } = source.info;
    const analyzer = createTrackAnalyzer({
      sampleRate: sample_rate,
      channels,
      features: toDspFeatures(features),
    });
    let samples = 0;
    for await (const block of source.blocks) {
      analyzer.push(block);
      samples += block[0]?.length ?? 0;
      // Not every format declares its length; the size of the file is always known.
      const decoded = declared_frames ? samples / declared_frames : bytes.bytesRead / size;
      report(DECODED_FRACTION * Math.min(1, decoded));
    }
    return toDetectedAnalysis(
      analyzer.finish((done) => report(DECODED_FRACTION + (1 - DECODED_FRACTION) * done)),
    );
  } finally {
    await source.close();
  }
});

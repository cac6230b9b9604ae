import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FeatureName } from '@stem-studio/contract/resources/analysis';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createTrackAnalyzer } from '@stem-studio/dsp/plan/analyze';
import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import { loadFft } from '@stem-studio/dsp/transform/fft';
import { readEnd } from '../../platform/files/read-end.ts';
import { serveProcess } from '../../platform/process/serve-process.ts';

/** What the process is asked. */
export interface AnalyzeRequest {
  /** Absolute path of the received sound. */
  readonly path: string;
  readonly features: readonly FeatureName[];
  readonly maxDurationSeconds: number;
}

/** How much of the work is done once the last sample has been heard; what is then settled takes seconds of an hour. */
const HEARD_FRACTION = 0.9;

/** One pass over the sound, then what only the whole can tell: `bytes → decode → analyse → settle`. Progress is a fraction. */
serveProcess<AnalyzeRequest, TrackAnalysis>(async ({ path, features, maxDurationSeconds }, report) => {
  await loadFft();
  const bytes = createReadStream(path, { highWaterMark: 1 << 18 });
  const { size } = await stat(path);
  const source = await openAudio(bytes, { maxDurationSeconds, readEnd: (count) => readEnd(path, count) });
  try {
    const { sample_rate, channels, declared_frames } = source.info;
    const analyzer = createTrackAnalyzer({
      sampleRate: sample_rate,
      channels,
      features: [...features],
    });
    let samples = 0;
    for await (const block of source.blocks) {
      analyzer.push(block);
      samples += block[0]?.length ?? 0;
      // Not every format says how long it is; every file does.
      const heard = declared_frames ? samples / declared_frames : bytes.bytesRead / size;
      report(HEARD_FRACTION * Math.min(1, heard));
    }
    return analyzer.finish((settled) => report(HEARD_FRACTION + (1 - HEARD_FRACTION) * settled));
  } finally {
    await source.close();
  }
});

import { createReadStream } from 'node:fs';
import type { FeatureName } from '@stem-studio/contract/resources/analysis';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createTrackAnalyzer } from '@stem-studio/dsp/plan/analyze';
import type { TrackAnalysis } from '@stem-studio/dsp/plan/track-analysis';
import { loadFft } from '@stem-studio/dsp/transform/fft';
import { serveThread } from '../../platform/process/thread-main.ts';

/** What the thread is asked. */
export interface AnalyzeRequest {
  /** Absolute path of the received sound. */
  readonly path: string;
  readonly features: readonly FeatureName[];
  readonly maxDurationSeconds: number;
}

/** One pass over the sound: `bytes → decode → analyse`. Progress is a fraction. */
await serveThread<AnalyzeRequest, TrackAnalysis>(async ({ path, features, maxDurationSeconds }, report) => {
  await loadFft();
  const source = await openAudio(createReadStream(path, { highWaterMark: 1 << 18 }), { maxDurationSeconds });
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
      if (declared_frames) report(Math.min(1, samples / declared_frames));
    }
    return analyzer.finish();
  } finally {
    await source.close();
  }
});

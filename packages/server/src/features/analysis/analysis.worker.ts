import { attempts } from '@stem-studio/contract/limits';
import { analysisResult } from '@stem-studio/contract/resources/analysis';
import { runInThread } from '../../platform/process/thread.ts';
import { done, fail } from '../../platform/queue/verdict.ts';
import { defineWorker } from '../../platform/queue/worker.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import { findTrack } from '../tracks/index.ts';
import { completeAnalysis } from './analysis.service.ts';
import { analysisArgs } from './analysis-args.ts';
import type { AnalyzeRequest } from './analyze.thread.ts';

/**
 * Listens to a track's received sound once and stores what was asked of it.
 *
 * @spec Analysis job and result
 */
export const analysisWorker = defineWorker({
  type: 'analysis',
  schema: analysisArgs,
  concurrency: (config) => config.analysisConcurrency,
  attempts: attempts.analysis,
  runningStatus: 'processing',
  queuedMessage: 'waiting for an analysis to finish',
  async perform(args, run, context) {
    const track = await findTrack(context.db, run.trackId);
    if (!track?.audio) return fail('The track has no sound any more. Import it again, then press Retry.');
    const startedMs = context.clock.monotonicMs();
    await run.report({ progress: 0, message: 'listening' });
    const found = await runInThread<unknown>({
      module: new URL('./analyze.thread.ts', import.meta.url),
      input: {
        path: context.files.absolute(track.audio.sound_path),
        features: args.features,
        maxDurationSeconds: context.config.maxDurationSeconds,
      } satisfies AnalyzeRequest,
      signal: run.signal,
      onProgress(fraction) {
        const part = fraction as number;
        void run.report({
          progress: Math.floor(part * 99),
          message: part < 1 ? 'listening' : 'finding beats and key',
          eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, part),
        });
      },
    });
    const result = analysisResult.parse(found);
    return done((tx) => completeAnalysis(context, tx, run, result));
  },
});

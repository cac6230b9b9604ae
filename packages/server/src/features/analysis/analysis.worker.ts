import { attempts } from '@stem-studio/contract/limits';
import { done, fail } from '../../platform/queue/verdict.ts';
import { secondsLeft } from '../../platform/seconds-left.ts';
import { defineTrackWorker, findTrack, listSeconds } from '../tracks/index.ts';
import { completeAnalysis } from './analysis.service.ts';
import { storedAnalysisArgs } from './analysis-args.ts';
import { analyzeFile } from './analyze-file.ts';

/**
 * Analyses the audio of a track in one pass and stores the requested features.
 *
 * @spec Analysis jobs
 */
export const analysisWorker = defineTrackWorker({
  type: 'analysis',
  args: storedAnalysisArgs,
  concurrency: (config) => config.analysisConcurrency,
  attempts: attempts.analysis,
  runningStatus: 'processing',
  costs: listSeconds,
  queuedMessage: 'waiting for an analysis to finish',
  async perform(args, run, context) {
    const track = await findTrack(context.db, run.trackId);
    if (!track?.audio) return fail('The track no longer has audio. Import it again, then press Retry.');
    const startedMs = context.clock.monotonicMs();
    await run.report({ progress: 0, message: 'analysing' });
    const result = await analyzeFile({
      path: context.files.absolute(track.audio.audio_path),
      features: args.features,
      maxDurationSeconds: context.config.maxDurationSeconds,
      signal: run.signal,
      onProgress(part) {
        void run.report({
          progress: Math.floor(part * 99),
          message: part < 1 ? 'analysing' : 'estimating beats and key',
          eta_seconds: secondsLeft(context.clock.monotonicMs() - startedMs, part),
        });
      },
    });
    const { id } = track.audio;
    return done((tx) => completeAnalysis(context, tx, run, id, result));
  },
});

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { attempts, separationProgressStep } from '@stem-studio/contract/limits';
import { cancelledError } from '@stem-studio/contract/resources/job';
import { cloudStemTypes } from '@stem-studio/contract/resources/stem';
import type { Context } from '../../platform/context.ts';
import { withJobSpace } from '../../platform/disk/reserve-space.ts';
import { done, fail, type Verdict } from '../../platform/queue/verdict.ts';
import {
  defineTrackWorker,
  findTrack,
  listSeconds,
  type TrackRun,
  type TrackWithAudio,
} from '../tracks/index.ts';
import { markCancelling } from './cloud/cloud-cancels.store.ts';
import { secondsOf } from './cloud/cloud-work.service.ts';
import { createCloudEngine } from './engines/cloud.ts';
import { createLocalEngine } from './engines/local.ts';
import { completeSeparation } from './processing.service.ts';
import {
  type ProcessingArgs,
  previewSeconds,
  stemBytes,
  stemFolder,
  storedProcessingArgs,
} from './processing-args.ts';
import { SeparationRefused } from './separation-engine.ts';

/** Rounds progress down to the reported steps. */
function inSteps(percent: number): number {
  return Math.floor(percent / separationProgressStep) * separationProgressStep;
}

/** Runs an engine that writes the stems into a staging folder, and publishes them together. */
async function separate(
  context: Context,
  args: ProcessingArgs,
  run: TrackRun,
  audio: NonNullable<TrackWithAudio['audio']>,
): Promise<Verdict> {
  const output = await context.files.createStagingFolder();
  const folder = stemFolder(run.jobId);
  try {
    await run.report({ progress: 0, message: 'starting the separation engine' });
    const engine =
      args.engine === 'local'
        ? createLocalEngine(context)
        : createCloudEngine(context, {
            jobId: run.jobId,
            userId: run.userId,
            audioSourceId: audio.id,
            stemTypes: args.stem_types ?? cloudStemTypes,
            isPreview: args.preview,
            durationSeconds: secondsOf(audio.duration_ms, args.preview),
          });
    const outcome = await engine.separate(
      {
        inputPath: context.files.absolute(audio.audio_path),
        model: args.model,
        maxSeconds: args.preview ? previewSeconds : null,
        output,
      },
      {
        signal: run.signal,
        report: ({ percent, stage, etaSeconds }) =>
          void run.report({
            progress: Math.min(99, inSteps(percent)),
            message: stage,
            eta_seconds: etaSeconds,
          }),
      },
    );
    const sizes = new Map<string, number>();
    for (const { fileName } of outcome.stems)
      sizes.set(fileName, (await stat(join(output.path, fileName))).size);
    await output.publishFolder(folder);
    return done((tx) => completeSeparation(context, tx, run, args, outcome, sizes));
  } catch (error) {
    // The job's folder is not removed: another attempt that has taken over the job may have published it.
    if (error instanceof SeparationRefused) return fail(error.message);
    throw error;
  } finally {
    await output.remove();
  }
}

/**
 * Separates the received audio of a track into stems.
 *
 * @spec Separation jobs
 */
export const processingWorker = defineTrackWorker({
  type: 'processing',
  args: storedProcessingArgs,
  concurrency: (config) => config.processingConcurrency,
  elsewhere: {
    includes: ({ engine }) => engine === 'cloud',
    concurrency: (config) => config.cloudsep.concurrency,
  },
  attempts: attempts.processing,
  runningStatus: 'processing',
  async costs(tx, asked) {
    const seconds = await listSeconds(tx, asked);
    return seconds.map((whole, index) =>
      asked[index]?.args.preview ? Math.min(previewSeconds, whole) : whole,
    );
  },
  queuedMessage: 'waiting for a separation to finish',
  async perform(args, run, context) {
    const track = await findTrack(context.db, run.trackId);
    if (!track?.audio) return fail('The track no longer has audio. Import it again, then press Retry.');
    const { audio } = track;
    const bytes = stemBytes(args, audio.duration_ms, context.config.stemBitDepth);
    // The files received from the cloud service are stored beside the stems made from them.
    return withJobSpace(context, run, args.engine === 'cloud' ? 2 * bytes : bytes, () =>
      separate(context, args, run, audio),
    );
  },
  async failed(args, run, _context, tx, error) {
    // Only for a cancel by the user: other failures may be resumed by a retry.
    if (args.engine === 'cloud' && error === cancelledError) await markCancelling(tx, run.jobId);
  },
});

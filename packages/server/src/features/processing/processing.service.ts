import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { separate } from '@stem-studio/contract/endpoints/processing';
import type { ProcessingJob } from '@stem-studio/contract/resources/processing-job';
import { cloudStemTypes } from '@stem-studio/contract/resources/stem';
import { separationModelNames, separationModels } from '@stem-studio/contract/separation-models';
import { processingStatus } from '@stem-studio/contract/states';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalid, notFound, stateForbids } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import type { Owned } from '../../platform/owned.ts';
import { findPermittedJob } from '../../platform/queue/job-access.ts';
import { type AcceptedJob, failJob, requestJob, requestJobOnce } from '../../platform/queue/jobs.ts';
import { cloudKeyRule, findKeySource } from '../cloudsep/index.ts';
import { isQuotaExceeded } from '../quotas/index.ts';
import {
  findOwnedTrack,
  findTrack,
  recordStems,
  requireQuotaForTrack,
  requireTrackId,
  type TrackWithAudio,
  trackSubject,
} from '../tracks/index.ts';
import { insertResult } from './cloud/cloud-tasks.store.ts';
import { describeWork, priceOf } from './cloud/cloud-work.service.ts';
import { inCloudOrder } from './cloud/split-plan.ts';
import { chooseBackend, describeModel } from './networks/choose-backend.ts';
import * as store from './processing.store.ts';
import {
  type ProcessingArgs,
  stemBytes,
  stemFolder,
  storedProcessingArgs,
  unreadableProcessingArgs,
} from './processing-args.ts';
import type { SeparationOutcome } from './separation-engine.ts';
import { replaceSeparations } from './separations.service.ts';
import { insertSeparation, measuredSpeeds } from './separations.store.ts';

/**
 * Returns the stored arguments of a request. For the cloud engine these are the stems, and the default model name,
 * which it ignores.
 *
 * @throws `MODEL_NOT_AVAILABLE`, `CLOUD_KEY_MISSING`
 * @throws `VALIDATION_ERROR` for stems of the local engine
 */
async function argsFor(
  context: Context,
  viewer: Viewer,
  { model, engine, preview, stem_types }: Omit<HandlerInput<typeof separate>['body'], 'track_id'>,
): Promise<ProcessingArgs> {
  if (engine === 'local') {
    if (stem_types) {
      const rule = 'is for the engine cloud: the local engine gives all stems of its model';
      throw invalid({ stem_types: [rule] });
    }
    const { backend, note } = await chooseBackend(context.config, model);
    if (backend === null) throw stateForbids('MODEL_NOT_AVAILABLE', note, { model: [note] });
    return { model, engine, preview };
  }
  if ((await findKeySource(context, viewer.id)) === null)
    throw stateForbids('CLOUD_KEY_MISSING', cloudKeyRule, { engine: [cloudKeyRule] });
  return {
    model: 'hybrid_4',
    engine,
    preview,
    stem_types: inCloudOrder(stem_types ?? cloudStemTypes),
  };
}

/** A track with the length of its audio. */
type SeparableTrack = Pick<TrackWithAudio, 'id' | 'user_id' | 'duration_ms'>;

const jobFor = ({ config }: Context, track: SeparableTrack, args: ProcessingArgs) => ({
  type: 'processing' as const,
  user_id: track.user_id,
  subject: trackSubject(track.id),
  args,
  expected_bytes: stemBytes(args, track.duration_ms, config.stemBitDepth),
});

/**
 * Requests a separation in the caller's transaction; an identical queued or running job is reused.
 *
 * @param follows job whose completion requests it; omitted for a request of a user
 * @throws `QUOTA_EXCEEDED`
 */
async function requestSeparation(
  context: Context,
  tx: Tx,
  track: SeparableTrack,
  args: ProcessingArgs,
  follows?: string,
): Promise<AcceptedJob> {
  const request = jobFor(context, track, args);
  return requestJobOnce(
    context,
    tx,
    { ...request, follows },
    (job) => {
      const asked = storedProcessingArgs.read(tx, job.args, job.id);
      return (
        asked !== null &&
        asked.model === args.model &&
        asked.engine === args.engine &&
        asked.preview === args.preview &&
        asked.stem_types?.join() === args.stem_types?.join()
      );
    },
    (locked) =>
      requireQuotaForTrack(context, locked, track, {
        what: 'this separation',
        bytes: request.expected_bytes,
        jobs: 1,
        stemSets: 1,
      }),
  );
}

/**
 * Requests the separation that follows a download. Where the stems do not fit into the user's quota, the job is
 * inserted as failed with that reason, so that the user sees it and can retry it. Must be the last step that takes
 * locks in its transaction.
 */
export async function requestSeparationAfter(
  context: Context,
  tx: Tx,
  trackId: string,
  downloadJobId: string,
): Promise<void> {
  const track = await findTrack(tx, trackId);
  if (!track) return;
  const args = { model: 'hybrid_4', engine: 'local', preview: false } as const;
  try {
    await requestSeparation(context, tx, track, args, downloadJobId);
  } catch (error) {
    if (!isQuotaExceeded(error)) throw error;
    await failJob(
      context,
      tx,
      await requestJob(context, tx, { ...jobFor(context, track, args), follows: downloadJobId }),
      error.message,
    );
  }
}

/**
 * Separates a track of the caller's, and returns its price at the cloud service.
 *
 * @throws `NOT_FOUND`, `TRACK_NOT_DOWNLOADED`, `MODEL_NOT_AVAILABLE`, `CLOUD_KEY_MISSING` or `QUOTA_EXCEEDED`
 * @spec Separation jobs
 */
export async function separateTrack(
  context: Context,
  viewer: Viewer,
  request: HandlerInput<typeof separate>['body'],
): Promise<AcceptedJob & { readonly args: ProcessingArgs; readonly priceMinutes: number }> {
  const { track_id, ...asked } = request;
  const track: Owned<TrackWithAudio> = await findOwnedTrack(context.db, viewer, track_id);
  const args = await argsFor(context, viewer, asked);
  if (!track.audio) {
    throw stateForbids(
      'TRACK_NOT_DOWNLOADED',
      'the track has no audio yet: wait for its download, or retry that',
    );
  }
  const priceMinutes = args.engine === 'cloud' ? (await priceOf(context, track, args)).price_minutes : 0;
  const accepted = await context.db
    .transaction()
    .execute((tx) => requestSeparation(context, tx, track, args));
  return { ...accepted, args, priceMinutes };
}

/** Inserts the stem records of a complete separation, and emits the event for the next pipeline steps. */
export async function completeSeparation(
  context: Context,
  tx: Tx,
  run: { readonly jobId: string; readonly trackId: string; readonly userId: number },
  args: ProcessingArgs,
  outcome: SeparationOutcome,
  sizes: ReadonlyMap<string, number>,
): Promise<void> {
  const folder = stemFolder(run.jobId);
  await store.insertStems(
    tx,
    outcome.stems.map((stem) => ({
      id: newId(),
      track_id: run.trackId,
      processing_job_id: run.jobId,
      stem_type: stem.stemType,
      file_path: `${folder}/${stem.fileName}`,
      file_size: sizes.get(stem.fileName) ?? 0,
      duration_ms: stem.durationMs,
      sample_rate: stem.sampleRate,
      channels: stem.channels,
      peak: stem.peak,
      engine: args.engine,
      model: args.model,
      backend: outcome.backend,
      created_at: context.clock.now(),
    })),
  );
  if (outcome.cloud) await insertResult(tx, { jobId: run.jobId, ...outcome.cloud });
  await insertSeparation(tx, run.jobId, outcome.network);
  if (!args.preview) await recordStems(context, tx, run.trackId, run.jobId);
  await replaceSeparations(context, tx, run, args);
  await emit(context, tx, 'processing.completed', {
    track_id: run.trackId,
    user_id: run.userId,
    job_id: run.jobId,
  });
}

/**
 * Returns a separation job with its stems in its wire format.
 *
 * @throws `NOT_FOUND`
 */
export async function showSeparation(context: Context, viewer: Viewer, id: string): Promise<ProcessingJob> {
  const row = await findPermittedJob(context, viewer, id, 'read');
  if (!row || row.type !== 'processing') throw notFound('processing job');
  const args = storedProcessingArgs.read(context.db, row.args, row.id) ?? unreadableProcessingArgs;
  const stems = row.status === 'completed' ? await store.listStems(context.db, row.id) : [];
  return {
    id: row.id,
    track_id: requireTrackId(row),
    status: processingStatus.parse(row.status),
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    model: args.model,
    engine: args.engine,
    preview: args.preview,
    backend: stems[0]?.backend ?? null,
    stems: stems.map(store.presentStem),
    error: row.error,
    cloud: args.engine === 'cloud' ? await describeWork(context, row.id, args) : null,
  };
}

/**
 * Returns the models of the local engine in their wire format. Each has the backend that would serve it now, and the
 * speed that this studio has measured with it.
 */
export async function showModels(context: Context) {
  const speeds = await measuredSpeeds(context.db);
  return Promise.all(
    separationModelNames.map(async (name) => {
      const choice = await chooseBackend(context.config, name);
      return {
        name,
        label: separationModels[name].label,
        summary: separationModels[name].summary,
        description: describeModel(name, choice),
        stems: separationModels[name].stemTypes.length,
        available: choice.backend !== null,
        backend: choice.backend,
        note: choice.note,
        speed:
          speeds.find(({ model, backend }) => model === name && backend === choice.backend)?.speed ?? null,
      };
    }),
  );
}

import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { separate } from '@stem-studio/contract/endpoints/processing';
import type { ProcessingJob } from '@stem-studio/contract/resources/processing-job';
import { separationModelNames, separationModels } from '@stem-studio/contract/separation-models';
import { processingStatus } from '@stem-studio/contract/states';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { asReadable, type Owned } from '../../platform/owned.ts';
import { findJob } from '../../platform/queue/jobs.store.ts';
import { type AcceptedJob, requestJobOnce } from '../../platform/queue/jobs.ts';
import { findOwnedTrack, recordStems, type TrackWithAudio } from '../tracks/index.ts';
import { chooseBackend, describeModel } from './networks/choose-backend.ts';
import * as store from './processing.store.ts';
import { type ProcessingArgs, processingArgs, stemFolder } from './processing-args.ts';
import type { SeparationOutcome } from './separation-engine.ts';

/** Throws `MODEL_NOT_AVAILABLE` or `ENGINE_NOT_AVAILABLE` with the rule and what is coming. */
async function requireAvailable(context: Context, args: ProcessingArgs): Promise<void> {
  if (args.engine === 'cloud') {
    const rule = 'engine must be local for now (got cloud): the cloud engine comes with its own settings';
    throw stateForbids('ENGINE_NOT_AVAILABLE', rule, { engine: [rule] });
  }
  const { backend, note } = await chooseBackend(context.config, args.model);
  if (backend === null) throw stateForbids('MODEL_NOT_AVAILABLE', note, { model: [note] });
}

/** Asks for a separation in the caller's transaction; the same work that is still waiting or running is not asked twice. */
export async function requestSeparation(
  context: Context,
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
  args: ProcessingArgs,
): Promise<AcceptedJob> {
  return requestJobOnce(
    context,
    tx,
    { type: 'processing', user_id: track.user_id, track_id: track.id, args },
    (job) => {
      const asked = processingArgs.parse(job.args);
      return asked.model === args.model && asked.engine === args.engine && asked.preview === args.preview;
    },
  );
}

/**
 * Separates a track of the caller. Throws `NOT_FOUND`, `TRACK_NOT_DOWNLOADED`, `MODEL_NOT_AVAILABLE` or
 * `ENGINE_NOT_AVAILABLE`.
 *
 * @spec Processing (separation) job
 */
export async function separateTrack(
  context: Context,
  viewer: Viewer,
  request: HandlerInput<typeof separate>['body'],
): Promise<AcceptedJob> {
  const { track_id, ...args } = request;
  const track: Owned<TrackWithAudio> = await findOwnedTrack(context.db, viewer, track_id);
  await requireAvailable(context, args);
  if (!track.audio) {
    throw stateForbids(
      'TRACK_NOT_DOWNLOADED',
      'the track has no sound yet: wait for its download, or retry that',
    );
  }
  return context.db.transaction().execute((tx) => requestSeparation(context, tx, track, args));
}

/** Writes the stem records of a separation that is whole, and says so to what follows. */
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
  if (!args.preview) await recordStems(context, tx, run.trackId, run.jobId);
  await emit(context, tx, 'processing.completed', {
    track_id: run.trackId,
    user_id: run.userId,
    job_id: run.jobId,
  });
}

/** A separation job with its stems as the service shows it. Throws `NOT_FOUND`. */
export async function showSeparation(context: Context, viewer: Viewer, id: string): Promise<ProcessingJob> {
  const row = asReadable(viewer, await findJob(context.db, id));
  if (!row || row.type !== 'processing') throw notFound('processing job');
  const args = processingArgs.parse(row.args);
  const stems = row.status === 'completed' ? await store.listStems(context.db, row.id) : [];
  return {
    id: row.id,
    track_id: row.track_id,
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
  };
}

/** The models of the local engine as the service lists them, each with what would serve it now. */
export function showModels(context: Context) {
  return Promise.all(
    separationModelNames.map(async (name) => {
      const choice = await chooseBackend(context.config, name);
      return {
        name,
        description: describeModel(name, choice),
        stems: separationModels[name].stemTypes.length,
        available: choice.backend !== null,
        backend: choice.backend,
        note: choice.note,
      };
    }),
  );
}

import type { HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import type { getCloudPrice, getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import type { CloudWork } from '@stem-studio/contract/resources/cloud-work';
import { cloudStemTypes } from '@stem-studio/contract/resources/stem';
import type { Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/database.ts';
import type { JobRow } from '../../../platform/db/platform-tables.ts';
import { failure, notFound, stateForbids } from '../../../platform/errors.ts';
import type { Viewer } from '../../../platform/http/viewer.ts';
import { own } from '../../../platform/owned.ts';
import { findJob, listJobs } from '../../../platform/queue/jobs.store.ts';
import { cancelJob } from '../../../platform/queue/jobs.ts';
import {
  CloudError,
  type CloudKey,
  cloudKeyRule,
  findCloudKey,
  findKeySource,
} from '../../cloudsep/index.ts';
import { findOwnedTrack, type TrackWithAudio } from '../../tracks/index.ts';
import { type ProcessingArgs, previewSeconds, storedProcessingArgs } from '../processing-args.ts';
import { type CancelOutcome, cancelTasks } from './cancel-tasks.ts';
import * as store from './cloud-tasks.store.ts';
import { inCloudOrder, minutesOf, planSplits, sumOfMinutes } from './split-plan.ts';
import { findStoredUpload } from './stored-upload.ts';

type Price = ReplyOf<typeof getCloudPrice>['data'];

/** Returns the duration of the separated part of the audio, in seconds. */
export function secondsOf(durationMs: number, isPreview: boolean): number {
  return isPreview ? Math.min(previewSeconds, durationMs / 1000) : durationMs / 1000;
}

/** Returns the key of a user, or null; an unreadable key counts as none. */
async function readableKey(context: Context, userId: number): Promise<CloudKey | null> {
  try {
    return await findCloudKey(context, userId);
  } catch (error) {
    if (error instanceof CloudError) return null;
    throw error;
  }
}

/**
 * Returns the price of a cloud separation, by the calls it needs. Calls that are paid already, and whose audio stays at
 * the service long enough, cost nothing.
 */
export async function priceOf(
  context: Context,
  track: Pick<TrackWithAudio, 'user_id' | 'audio'>,
  { preview, stem_types = [] }: Pick<ProcessingArgs, 'preview' | 'stem_types'>,
): Promise<Pick<Price, 'price_minutes' | 'splits'>> {
  const seconds = secondsOf(track.audio?.duration_ms ?? 0, preview);
  const paid = await paidSplits(context, track, preview);
  const splits = planSplits(stem_types).map((split) => {
    const isPaid = paid.has(split.name);
    return {
      stem_types: [...split.stemTypes],
      minutes: isPaid ? 0 : minutesOf(split, seconds),
      is_paid: isPaid,
    };
  });
  return { price_minutes: sumOfMinutes(splits.map(({ minutes }) => minutes)), splits };
}

async function paidSplits(
  context: Context,
  { user_id, audio }: Pick<TrackWithAudio, 'user_id' | 'audio'>,
  preview: boolean,
): Promise<ReadonlySet<string>> {
  const key = audio && (await readableKey(context, user_id));
  if (!key) return new Set();
  const uploaded = { user_id, audio_source_id: audio.id, is_preview: preview, account: key.account };
  const upload = await findStoredUpload(context, uploaded);
  if (!upload) return new Set();
  const tasks = await store.listPaidTasks(context.db, key.account, upload.id);
  return new Set(tasks.map(({ split }) => split));
}

/**
 * Returns the price of separating a track of the caller's.
 *
 * @throws `NOT_FOUND` or `TRACK_NOT_DOWNLOADED`
 */
export async function showPrice(
  context: Context,
  viewer: Viewer,
  query: HandlerInput<typeof getCloudPrice>['query'],
): Promise<Price> {
  const track = await findOwnedTrack(context.db, viewer, query.track_id);
  if (!track.audio)
    throw stateForbids('TRACK_NOT_DOWNLOADED', 'the track has no audio yet: wait for its download');
  const stem_types = inCloudOrder(query.stem_types ?? cloudStemTypes);
  return {
    track_id: track.id,
    ...(await priceOf(context, track, { preview: query.preview, stem_types })),
    key: await findKeySource(context, viewer.id),
  };
}

/**
 * Returns the used and remaining minutes of the caller's key. Used minutes come from the ledger, remaining minutes from
 * the service, rounded down to whole minutes.
 *
 * @throws `CLOUD_KEY_MISSING`
 * @throws `CLOUD_ERROR` where the service cannot return the remaining minutes
 */
export async function showQuota(
  context: Context,
  viewer: Viewer,
): Promise<ReplyOf<typeof getCloudQuota>['data']> {
  try {
    const key = await findCloudKey(context, viewer.id);
    if (!key) throw stateForbids('CLOUD_KEY_MISSING', cloudKeyRule);
    const remaining_minutes = Math.floor(await key.client.minutesLeft());
    const used_minutes = Math.round(await store.sumSpentMinutes(context.db, key.account));
    return { quota_minutes: used_minutes + remaining_minutes, used_minutes, remaining_minutes };
  } catch (error) {
    if (error instanceof CloudError) throw failure('CLOUD_ERROR', error.message);
    throw error;
  }
}

/** Returns the tasks of a separation at the service, and its result. */
export async function describeWork(
  context: Context,
  jobId: string,
  args: ProcessingArgs,
): Promise<CloudWork> {
  const [tasks, result] = await Promise.all([
    store.listTasks(context.db, [jobId]),
    store.findResult(context.db, jobId),
  ]);
  return {
    stem_types: args.stem_types ?? [],
    tasks: tasks.map(({ task_id, stem_types, state, minutes }) => ({ task_id, stem_types, state, minutes })),
    residual_db: result?.residual_db ?? null,
    warnings: result?.warnings ?? [],
  };
}

const isCloud = (db: Db, job: JobRow) => storedProcessingArgs.read(db, job.args, job.id)?.engine === 'cloud';

/**
 * Cancels a cloud separation of the caller's with all its tasks.
 *
 * @param id id of the job or of one of its tasks
 * @throws `NOT_FOUND` or `JOB_NOT_CANCELLABLE`
 */
export async function cancelWork(context: Context, viewer: Viewer, id: string): Promise<CancelOutcome> {
  const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  const ofTask = await store.findJobOfTask(context.db, viewer.id, id);
  const jobId = ofTask ?? (isUuid ? id : null);
  const job = jobId === null ? null : own(viewer, await findJob(context.db, jobId));
  if (!job || job.type !== 'processing' || !isCloud(context.db, job)) throw notFound('cloud task');
  if (!(await cancelJob(context, job.id))) {
    const { status } = (await findJob(context.db, job.id)) ?? job;
    throw stateForbids(
      'JOB_NOT_CANCELLABLE',
      `only a separation that waits or runs can be cancelled (this one is ${status})`,
    );
  }
  return cancelTasks(context, [job.id]);
}

/** Cancels all cloud separations of the caller's one by one: the service's cancel-all would end those of every user. */
export async function cancelAllWork(context: Context, viewer: Viewer): Promise<CancelOutcome> {
  const filter = { user_id: viewer.id, type: 'processing', statuses: ['queued', 'processing'] } as const;
  const ended: string[] = [];
  for (const job of await listJobs(context.db, filter))
    if (isCloud(context.db, job) && (await cancelJob(context, job.id))) ended.push(job.id);
  return cancelTasks(context, ended);
}

import { join } from 'node:path';
import { pause } from '../../../platform/clock.ts';
import { newId, newRandomId } from '../../../platform/ids.ts';
import { decodingLimits, withoutProgress } from '../../../platform/process/decoding-limits.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { CloudError } from '../../cloudsep/index.ts';
import { SeparationCrashed, SeparationRefused, type SeparationRequest } from '../separation-engine.ts';
import { type CloudRun, reportStage } from './cloud-run.ts';
import * as store from './cloud-tasks.store.ts';
import { withLocalWorkPermit } from './own-work.ts';
import type { PreparedUpload, PrepareUploadRequest } from './prepare-upload.ts';
import { type CloudSplit, minutesOf, sumOfMinutes } from './split-plan.ts';
import { findStoredUpload } from './stored-upload.ts';

/** A task that the service is processing or has finished. */
export interface StartedTask {
  readonly split: CloudSplit;
  readonly row: store.CloudTaskRow;
  /** The service's id. */
  readonly taskId: string;
}

/** All tasks of a separation, and the gain applied to the audio before the upload. */
export interface StartedTasks {
  readonly tasks: readonly StartedTask[];
  readonly gain: number;
}

/** Number of attempts at the same request while the service is unavailable. */
const attempts = 4;
const usualBusySeconds = 10;
/** Upper limit of the delay requested by a busy service, in seconds. */
const longestBusySeconds = 60;

/** Returns the identity of the uploaded audio of a run. */
function audioOf({ order, key }: CloudRun): store.UploadedAudio {
  const { userId, audioSourceId, isPreview } = order;
  return { user_id: userId, audio_source_id: audioSourceId, is_preview: isPreview, account: key.account };
}

/**
 * Starts a task for every split, without paying for any twice. Reuses tasks requested by an earlier attempt at the job,
 * or by an earlier job that has ended. Audio stored at the service is not uploaded again.
 */
export async function startTasks(
  run: CloudRun,
  request: SeparationRequest,
  { splits, durationSeconds }: { splits: readonly CloudSplit[]; durationSeconds: number },
): Promise<StartedTasks> {
  const { context, order, key } = run;
  const { db, clock } = context;
  if (await store.hasTasksOfOthers(db, order.jobId, key.account)) {
    throw new SeparationRefused(
      'the key of the cloud service was changed during the separation: Retry starts over with the current key',
    );
  }
  for (let isSecond = false; ; isSecond = true) {
    const known = await findStoredUpload(context, audioOf(run));
    const rows = await db.transaction().execute((tx) =>
      store.adoptTasks(
        tx,
        {
          account: key.account,
          uploadId: known?.id ?? null,
          job: { id: order.jobId, audioSourceId: order.audioSourceId },
        },
        splits.map(({ name }) => name),
      ),
    );
    const rowOf = new Map(rows.map((row) => [row.split, row]));
    const unpaid = splits.filter(({ name }) => (rowOf.get(name)?.task_id ?? null) === null);
    if (unpaid.length > 0) await requireMinutes(run, unpaid, durationSeconds);
    const upload = known ?? (await uploadAudio(run, request));
    try {
      const tasks: StartedTask[] = [];
      for (const split of splits)
        tasks.push(await startTask(run, { split, upload, durationSeconds }, rowOf.get(split.name)));
      return { tasks, gain: upload.gain };
    } catch (error) {
      if (!(error instanceof CloudError) || error.problem !== 'gone' || isSecond) throw error;
      // The service deleted the upload earlier than announced.
      await store.voidUpload(db, upload.id, clock.now());
    }
  }
}

/** Checks that enough minutes are left before anything is uploaded. */
async function requireMinutes(
  run: CloudRun,
  unpaid: readonly CloudSplit[],
  durationSeconds: number,
): Promise<void> {
  const needed = sumOfMinutes(unpaid.map((split) => minutesOf(split, durationSeconds)));
  const left = await persistently(run, () => run.key.client.minutesLeft());
  if (left >= needed) return;
  const whose = run.key.source === 'own' ? 'your key' : "this studio's key";
  throw new SeparationRefused(
    `this takes ${needed} minutes of the cloud service, and ${whose} has ${Math.floor(left * 10) / 10} left: choose fewer stems or a preview, or add minutes there`,
  );
}

async function uploadAudio(run: CloudRun, request: SeparationRequest): Promise<store.CloudUploadRow> {
  const { context, key, signal } = run;
  reportStage(run, 'upload', 0, 'upload: preparing the song');
  const staging = await context.files.createStagingFolder();
  try {
    const path = join(staging.path, 'song.flac');
    const { gain } = await withLocalWorkPermit(signal, () =>
      runInProcess<PreparedUpload>({
        module: new URL('./prepare-upload.process.ts', import.meta.url),
        // The process reports no progress.
        limits: withoutProgress(decodingLimits('the recording', context.config.maxDurationSeconds)),
        input: {
          inputPath: request.inputPath,
          outputPath: path,
          maxSeconds: request.maxSeconds,
          maxDurationSeconds: context.config.maxDurationSeconds,
        } satisfies PrepareUploadRequest,
        signal,
      }),
    );
    reportStage(run, 'upload', 0.5, 'upload');
    const { sourceId, expiresAt } = await persistently(run, () =>
      key.client.upload(path, 'song.flac', signal),
    );
    const row: store.CloudUploadRow = {
      id: newId(),
      ...audioOf(run),
      source_id: sourceId,
      gain,
      expires_at: expiresAt,
      created_at: context.clock.now(),
    };
    await store.insertUpload(context.db, row);
    return row;
  } finally {
    await staging.remove();
  }
}

/** Returns the task of one split. It is the earlier one, or a new one that is recorded before it is requested. */
async function startTask(
  run: CloudRun,
  of: { split: CloudSplit; upload: store.CloudUploadRow; durationSeconds: number },
  before: store.CloudTaskRow | undefined,
): Promise<StartedTask> {
  const { context, order, key, signal } = run;
  const { split, upload } = of;
  if (before) run.held.add(before.id);
  if (before && before.task_id !== null) return { split, row: before, taskId: before.task_id };
  signal.throwIfAborted();
  const row =
    // A task requested for another upload cannot be requested again under its idempotency key.
    before?.upload_id === upload.id
      ? before
      : await context.db.transaction().execute((tx) =>
          store.insertTask(tx, {
            id: newRandomId(),
            account: key.account,
            user_id: order.userId,
            upload_id: upload.id,
            job_id: order.jobId,
            split: split.name,
            stem_types: [...split.stemTypes],
            minutes: minutesOf(split, of.durationSeconds),
            asked_at: context.clock.now(),
          }),
        );
  if (!row) throw new SeparationRefused('this separation is over already: nothing more is asked for it');
  run.held.add(row.id);
  try {
    // Not aborted with the job: an unread reply could mean minutes that are spent but not recorded.
    const taskId = await persistently(run, () => key.client.split(upload.source_id, split.order, row.id));
    const booked = await context.db.transaction().execute((tx) => store.bookTask(tx, row.id, taskId));
    signal.throwIfAborted();
    if (booked.state !== 'running')
      throw new SeparationRefused('this separation is over already: its tasks are ended');
    return { split, row: booked, taskId };
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const { problem } = error;
    const now = context.clock.now();
    if (problem === 'asked before') {
      await store.settleTask(context.db, row.id, 'lost', now);
      throw new SeparationRefused(
        `the cloud service had accepted this when the studio stopped, and does not report it again: ${row.minutes} minutes are spent. Retry requests it again and is charged again`,
      );
    }
    if (!error.isPassing) await store.settleTask(context.db, row.id, 'failed', now);
    throw error;
  }
}

/** Repeats a request while the service is briefly unavailable, and after a delay when it is rate limited. */
export async function persistently<T>(run: CloudRun, ask: () => Promise<T>): Promise<T> {
  const until = run.context.clock.monotonicMs() + run.context.config.cloudsep.taskSeconds * 1000;
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof CloudError) || !error.isPassing) throw error;
      run.signal.throwIfAborted();
      const isBusy = error.problem === 'busy';
      const waitSeconds = isBusy
        ? Math.min(error.retryAfterSeconds ?? usualBusySeconds, longestBusySeconds)
        : 0.25 * 4 ** (attempt - 1);
      const isLate = run.context.clock.monotonicMs() + waitSeconds * 1000 > until;
      if (isLate || (!isBusy && attempt >= attempts)) throw error;
      await pause(waitSeconds * 1000, run.signal);
      run.signal.throwIfAborted();
    }
  }
}

/** Converts a failure of the service to a final or a retryable failure of the job. */
export function asSeparationError(error: unknown): unknown {
  if (!(error instanceof CloudError)) return error;
  return error.isPassing
    ? new SeparationCrashed(error.message, { cause: error })
    : new SeparationRefused(error.message);
}

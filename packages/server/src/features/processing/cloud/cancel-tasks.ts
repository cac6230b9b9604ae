import { pause } from '../../../platform/clock.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { messageOf } from '../../../platform/errors.ts';
import { type CloudClient, CloudError, findCloudKey, findKeyOfAccount } from '../../cloudsep/index.ts';
import * as cancels from './cloud-cancels.store.ts';
import * as store from './cloud-tasks.store.ts';
import { planSplits } from './split-plan.ts';

/** Result of a cancel. */
export interface CancelOutcome {
  /** Ids of the tasks that the service has ended; the job's id for a job without tasks. */
  readonly cancelled: string[];
  /** Ids of the tasks that the service had completed before. */
  readonly finished: string[];
  /** Tasks that were not ended, each with the reason. */
  readonly failed: { readonly task_id: string; readonly error: string }[];
}

/** A key that is loaded already, because its row may be deleted. */
export interface LoadedKey {
  readonly account: string;
  readonly client: CloudClient;
}

/** Age in seconds of a task whose cancel is abandoned because its key is gone or refused. */
const patience = { keyGone: 3600, keyRefused: 86_400 };

/** Seconds for which tasks are claimed to end them. Longer than a request of the client takes with all its retries. */
const claimSeconds = 60;
const claimLookMs = 100;

/** Options of a cancel. */
interface CancelWays {
  readonly loadedKey?: LoadedKey;
  /** Whether to abandon tasks whose key has been gone or refused for too long. */
  readonly isGivenUp?: boolean;
}

/**
 * Requests the service to end all tasks marked as cancelling. Of several concurrent callers one claims a task and sends
 * the request, without locking its row; the others wait, because they may have a key that the first lacks. Tasks that
 * could not be ended stay marked and are retried. Returns the reasons, by the service's task ids.
 */
async function endMarked(
  context: Context,
  of: cancels.TasksOf,
  ways: CancelWays = {},
): Promise<ReadonlyMap<string, string>> {
  const { db, clock } = context;
  const whyNot = new Map<string, string>();
  const tried: string[] = [];
  for (;;) {
    const now = clock.now();
    const until = new Date(now.getTime() + claimSeconds * 1000);
    const rows = await cancels.claimCancelling(db, of, { now, until, but: tried });
    const ids = rows.map(({ id }) => id);
    tried.push(...ids);
    try {
      for (const [account, some] of Map.groupBy(rows, (row) => row.account))
        for (const [taskId, why] of await endOfAccount(context, account, some, ways)) whyNot.set(taskId, why);
    } finally {
      await cancels.unclaimCancelling(db, ids);
    }
    if (!(await cancels.areLeft(db, of, { now: clock.now(), but: tried }))) return whyNot;
    await pause(claimLookMs);
  }
}

async function endOfAccount(
  context: Context,
  account: string,
  rows: readonly store.CloudTaskRow[],
  { loadedKey, isGivenUp = false }: CancelWays,
): Promise<Map<string, string>> {
  const { db, clock } = context;
  const whyNot = new Map<string, string>();
  const now = clock.now();
  const isOld = (row: store.CloudTaskRow, seconds: number) =>
    isGivenUp && now.getTime() - row.asked_at.getTime() > seconds * 1000;
  const key = loadedKey?.account === account ? loadedKey : await findKeyOfAccount(context, account);
  if (!key) {
    for (const row of rows) {
      whyNot.set(row.task_id ?? '', 'the key that paid for it was deleted');
      if (isOld(row, patience.keyGone)) await cancels.settleCancel(db, row.id, 'lost', now);
    }
    return whyNot;
  }
  const { failed, problem } = await askToCancel(key.client, rows);
  for (const row of rows) {
    const why = problem?.message ?? failed.get(row.task_id ?? '');
    if (why !== undefined) whyNot.set(row.task_id ?? '', why);
    if (why === undefined) await cancels.settleCancel(db, row.id, 'cancelled', now);
    // The service has answered: it will not end the task later either.
    else if (!problem) await cancels.settleCancel(db, row.id, 'done', now);
    else if (problem.problem === 'key' && isOld(row, patience.keyRefused))
      await cancels.settleCancel(db, row.id, 'lost', now);
  }
  return whyNot;
}

/**
 * Marks the running tasks of a user who is being deleted as cancelling. Returns a function that ends those paid with
 * the user's own key, which is deleted with the account; call it after the commit. Null where there is nothing to do.
 */
export async function markTasksOfLeaver(
  context: Context,
  tx: Tx,
  userId: number,
): Promise<(() => Promise<void>) | null> {
  const ids = await cancels.markCancellingOf(tx, userId);
  if (ids.length === 0) return null;
  const key = await findCloudKey({ ...context, db: tx }, userId).catch((error: unknown) => {
    // An unreadable key cannot end a task, and must not prevent the deletion.
    if (error instanceof CloudError) return null;
    throw error;
  });
  if (key?.source !== 'own') return null;
  return async () => void (await endMarked(context, { ids }, { loadedKey: key }));
}

/** Ends the cancelled tasks of finished jobs at the service, and returns the result for each task. */
export async function cancelTasks(context: Context, jobIds: readonly string[]): Promise<CancelOutcome> {
  const whyNot = await endMarked(context, { jobIds });
  const tasks = await store.listTasks(context.db, jobIds);
  const asked = tasks.filter((row) => row.task_id !== null && row.state !== 'failed');
  return {
    cancelled: [
      ...asked.flatMap((row) => (row.state === 'cancelled' ? (row.task_id ?? []) : [])),
      ...jobIds.filter((id) => !asked.some((row) => row.job_id === id)),
    ],
    finished: asked.flatMap((row) => (row.state === 'done' ? (row.task_id ?? []) : [])),
    failed: asked.flatMap((row) =>
      row.state === 'cancelled' || row.state === 'done'
        ? []
        : { task_id: row.task_id ?? '', error: whyNot.get(row.task_id ?? '') ?? reasonOf(row) },
    ),
  };
}

function reasonOf({ state }: store.CloudTaskRow): string {
  if (state === 'cancelling') return 'the cloud service has not answered yet; the request is repeated';
  return 'the cloud service no longer knows the task';
}

/** Returns why each task was not ended, or the error of the request itself. */
async function askToCancel(
  client: CloudClient,
  rows: readonly store.CloudTaskRow[],
): Promise<{ readonly failed: ReadonlyMap<string, string>; readonly problem: CloudError | null }> {
  try {
    return { failed: await client.cancel(rows.flatMap(({ task_id }) => task_id ?? [])), problem: null };
  } catch (error) {
    if (error instanceof CloudError) return { failed: new Map(), problem: error };
    throw error;
  }
}

const batch = 50;
/** Age in seconds by which the process that requested a task has its reply or has died. */
const answeredSeconds = 300;

/** Ends the tasks requested by an attempt whose job was cancelled or deleted, with the attempt's own key. */
export async function endHeldTasks(
  context: Context,
  ids: readonly string[],
  loadedKey: LoadedKey,
): Promise<void> {
  const unanswered = { askedBefore: context.clock.now(), ids, limit: ids.length };
  for (const row of await cancels.listUnanswered(context.db, unanswered))
    await findOut(context, row, loadedKey);
  await endMarked(context, { ids }, { loadedKey });
}

/**
 * Repeats the request for an abandoned task under its idempotency key. This is the only way to learn the id needed to
 * end it. Where the service does not return the id, the task counts as lost, and so as spent.
 */
async function findOut(context: Context, row: cancels.UnansweredTask, loadedKey?: LoadedKey): Promise<void> {
  const { db, clock, log } = context;
  const settle = (state: 'failed' | 'lost') => store.settleTask(db, row.id, state, clock.now());
  const giveUp = async (why: string) => {
    log.warn({ cloud_task: row.id }, `a cancelled task may have cost ${row.minutes} minutes: ${why}`);
    await settle('lost');
  };
  const split = planSplits(row.stem_types).find(({ name }) => name === row.split);
  if (row.source_id === null || !split) return giveUp('the request is no longer known');
  const sourceId = row.source_id;
  const key = loadedKey?.account === row.account ? loadedKey : await findKeyOfAccount(context, row.account);
  if (!key) return giveUp('the key that paid for it was deleted');
  try {
    const taskId = await key.client.split(sourceId, split.order, row.id);
    await db.transaction().execute((tx) => store.bookTask(tx, row.id, taskId));
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.problem === 'asked before') return giveUp(error.message);
    // A refused task was not started; an unanswered request is retried later.
    if (!error.isPassing) await settle('failed');
  }
}

/** Retries cancels that failed before. */
export async function sweepCancelled(context: Context): Promise<void> {
  const { db, clock, log } = context;
  const askedBefore = new Date(clock.now().getTime() - answeredSeconds * 1000);
  for (const row of await cancels.listUnanswered(db, { askedBefore, limit: batch }))
    await findOut(context, row).catch((error: unknown) =>
      log.warn({ cloud_task: row.id }, `a task could not be requested: ${messageOf(error)}`),
    );
  for (const [account, ids] of await cancels.listToCancel(db, batch))
    await endMarked(context, { ids }, { isGivenUp: true }).catch((error: unknown) =>
      log.warn({ account }, `a task could not be ended: ${messageOf(error)}`),
    );
  await store.deleteExpiredUploads(db, clock.now());
}

import type { Context } from '../../../context.ts';
import { messageOf } from '../../../platform/errors.ts';
import { type CloudClient, CloudError, findKeyOfAccount } from '../../cloudsep/index.ts';
import * as store from './cloud-tasks.store.ts';
import { planSplits } from './split-plan.ts';

/** What became of a cancel. */
export interface CancelOutcome {
  /** Tasks that the service has ended; the id of a job that had none. */
  readonly cancelled: string[];
  /** Tasks that it has not, each with why. */
  readonly failed: { readonly task_id: string; readonly error: string }[];
}

/** A key that is in hand already: its row may be gone. */
export interface KeyInHand {
  readonly account: string;
  readonly client: CloudClient;
}

/** A cancel that the key's owner has made impossible is given up so long after the task was asked for, in seconds. */
const patience = { keyGone: 3600, keyRefused: 86_400 };

/**
 * Asks the service to end what is marked so. Of several who do it at the same moment one asks; the others wait, and
 * find none left. What could not be ended stays marked, and is tried again. Answers why, by the service's task ids.
 *
 * @param isGivenUp whether a task is no longer tried whose key is gone or refused for long
 */
async function endMarked(
  context: Context,
  of: store.TasksOf,
  { inHand, isGivenUp = false }: { readonly inHand?: KeyInHand; readonly isGivenUp?: boolean } = {},
): Promise<ReadonlyMap<string, string>> {
  const whyNot = new Map<string, string>();
  const now = context.clock.now();
  const isOld = (row: store.CloudTaskRow, seconds: number) =>
    isGivenUp && now.getTime() - row.asked_at.getTime() > seconds * 1000;
  // The rows stay locked while the service is asked, which its time limit bounds.
  await context.db.transaction().execute(async (tx) => {
    const rows = await store.lockCancelling(tx, of);
    for (const [account, some] of Map.groupBy(rows, (row) => row.account)) {
      const key =
        inHand?.account === account ? inHand : await findKeyOfAccount({ ...context, db: tx }, account);
      if (!key) {
        for (const row of some) {
          whyNot.set(row.task_id ?? '', 'the key that paid for it is not here any more');
          if (isOld(row, patience.keyGone)) await store.settleCancel(tx, row.id, 'lost', now);
        }
        continue;
      }
      const { failed, problem } = await askToCancel(key.client, some);
      for (const row of some) {
        const why = problem?.message ?? failed.get(row.task_id ?? '');
        if (why !== undefined) whyNot.set(row.task_id ?? '', why);
        if (why === undefined) await store.settleCancel(tx, row.id, 'cancelled', now);
        // The service has answered: it will not end it later either.
        else if (!problem) await store.settleCancel(tx, row.id, 'done', now);
        else if (problem.problem === 'key' && isOld(row, patience.keyRefused))
          await store.settleCancel(tx, row.id, 'lost', now);
      }
    }
  });
  return whyNot;
}

/** Ends at the service what was cancelled here, of jobs that are over, and tells what became of each task. */
export async function cancelTasks(context: Context, jobIds: readonly string[]): Promise<CancelOutcome> {
  const whyNot = await endMarked(context, { jobIds });
  const tasks = await store.listTasks(context.db, jobIds);
  const asked = tasks.filter((row) => row.task_id !== null && row.state !== 'failed');
  return {
    cancelled: [
      ...asked.flatMap((row) => (row.state === 'cancelled' ? (row.task_id ?? []) : [])),
      ...jobIds.filter((id) => !asked.some((row) => row.job_id === id)),
    ],
    failed: asked.flatMap((row) =>
      row.state === 'cancelled'
        ? []
        : { task_id: row.task_id ?? '', error: whyNot.get(row.task_id ?? '') ?? reasonOf(row) },
    ),
  };
}

function reasonOf({ state }: store.CloudTaskRow): string {
  if (state === 'cancelling') return 'the cloud service has not answered yet; it is asked again';
  return 'the task had ended before';
}

/** Why each task was not ended, or why the service did not say. */
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
/** Whoever asked for a task has its answer, or has died, by then. */
const answeredSeconds = 300;

/** Ends what an attempt had asked for, where its job was cancelled or is gone, with the attempt's own key. */
export async function endHeldTasks(
  context: Context,
  ids: readonly string[],
  inHand: KeyInHand,
): Promise<void> {
  const unanswered = { askedBefore: context.clock.now(), ids, limit: ids.length };
  for (const row of await store.listUnanswered(context.db, unanswered)) await findOut(context, row, inHand);
  await endMarked(context, { ids }, { inHand });
}

/**
 * Asks for a task again that nobody wants any more, under its idempotency key: only so its id is known, by which it can
 * be ended. Where the service does not tell it, the task counts as lost, and so as spent.
 */
async function findOut(context: Context, row: store.UnansweredTask, inHand?: KeyInHand): Promise<void> {
  const { db, clock, log } = context;
  const settle = (state: 'failed' | 'lost') => store.settleTask(db, row.id, state, clock.now());
  const giveUp = async (why: string) => {
    log.warn({ cloud_task: row.id }, `a cancelled task may have cost ${row.minutes} minutes: ${why}`);
    await settle('lost');
  };
  const split = planSplits(row.stem_types).find(({ name }) => name === row.split);
  if (row.source_id === null || !split) return giveUp('what was asked is not known any more');
  const sourceId = row.source_id;
  const key = inHand?.account === row.account ? inHand : await findKeyOfAccount(context, row.account);
  if (!key) return giveUp('the key that paid for it is not here any more');
  try {
    const taskId = await key.client.split(sourceId, split.order, row.id);
    await db.transaction().execute((tx) => store.bookTask(tx, row.id, taskId));
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (error.problem === 'asked before') return giveUp(error.message);
    // What it refuses it has not begun; what it does not answer is asked again.
    if (!error.isPassing) await settle('failed');
  }
}

/** Tries again what could not be ended before. */
export async function sweepCancelled(context: Context): Promise<void> {
  const { db, clock, log } = context;
  const askedBefore = new Date(clock.now().getTime() - answeredSeconds * 1000);
  for (const row of await store.listUnanswered(db, { askedBefore, limit: batch }))
    await findOut(context, row).catch((error: unknown) =>
      log.warn({ cloud_task: row.id }, `a task could not be asked for: ${messageOf(error)}`),
    );
  for (const [account, ids] of await store.listToCancel(db, batch))
    await endMarked(context, { ids }, { isGivenUp: true }).catch((error: unknown) =>
      log.warn({ account }, `a task could not be ended: ${messageOf(error)}`),
    );
  await store.deleteExpiredUploads(db, clock.now());
}

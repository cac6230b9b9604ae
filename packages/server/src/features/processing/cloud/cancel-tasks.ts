import type { Context } from '../../../context.ts';
import { messageOf } from '../../../platform/errors.ts';
import { type CloudClient, CloudError, findKeyOfAccount } from '../../cloudsep/index.ts';
import * as store from './cloud-tasks.store.ts';

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

/**
 * Ends at the service what was cancelled here, of jobs that are over. Of several who do it at the same moment one asks;
 * the others wait and tell the same. What could not be ended stays marked, and is tried again.
 */
export async function cancelTasks(
  context: Context,
  jobIds: readonly string[],
  inHand?: KeyInHand,
): Promise<CancelOutcome> {
  const whyNot = new Map<string, string>();
  // The rows stay locked while the service is asked, which its time limit bounds.
  await context.db.transaction().execute(async (tx) => {
    const rows = await store.lockCancelling(tx, jobIds);
    for (const [account, some] of Map.groupBy(rows, (row) => row.account)) {
      const key =
        inHand?.account === account ? inHand : await findKeyOfAccount({ ...context, db: tx }, account);
      if (!key) {
        for (const row of some) {
          whyNot.set(row.task_id ?? '', 'the key that paid for it is not here any more');
          await store.settleCancel(tx, row.id, 'lost', context.clock.now());
        }
        continue;
      }
      const failed = await askToCancel(key.client, some);
      for (const row of some) {
        const why = failed.get(row.task_id ?? '') ?? failed.get('');
        if (why !== undefined) whyNot.set(row.task_id ?? '', why);
        if (why === undefined) await store.settleCancel(tx, row.id, 'cancelled', context.clock.now());
        // The service has answered: it will not end it later either.
        else if (!failed.has('')) await store.settleCancel(tx, row.id, 'done', context.clock.now());
      }
    }
  });
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

/** Why each task was not ended; under the empty name why none was. */
async function askToCancel(
  client: CloudClient,
  rows: readonly store.CloudTaskRow[],
): Promise<Map<string, string>> {
  try {
    return await client.cancel(rows.flatMap(({ task_id }) => task_id ?? []));
  } catch (error) {
    if (error instanceof CloudError) return new Map([['', error.message]]);
    throw error;
  }
}

const batch = 50;

/** Tries again what could not be ended before. */
export async function sweepCancelled(context: Context): Promise<void> {
  for (const jobId of await store.listJobsToCancel(context.db, batch)) {
    await cancelTasks(context, [jobId]).catch((error: unknown) =>
      context.log.warn({ job_id: jobId }, `a task could not be ended: ${messageOf(error)}`),
    );
  }
  await store.deleteExpiredUploads(context.db, context.clock.now());
}

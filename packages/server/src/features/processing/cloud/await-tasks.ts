import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import { pause } from '../../../platform/clock.ts';
import { CloudError, type CloudTaskReply, toDisplayText } from '../../cloudsep/index.ts';
import { SeparationRefused } from '../separation-engine.ts';
import { type CloudRun, reportStage } from './cloud-run.ts';
import * as store from './cloud-tasks.store.ts';
import { linksOf } from './split-plan.ts';
import type { StartedTask } from './start-tasks.ts';

/** Links to the stems of a finished task; null for a stem that the service did not detect. */
export type Links = ReadonlyMap<CloudStemType, string | null>;

/**
 * Number of consecutive `server_error` replies after which a task counts as lost. They must last at least
 * `mostUnknownSeconds`, or a tenth of the time limit of tasks if that is shorter.
 */
const mostUnknown = 3;
const mostUnknownSeconds = 180;
/** Upper limit of a pause that the service can demand, in seconds. */
const longestPauseSeconds = 60;
/** Number of consecutive unanswered status requests after which polling fails. */
const mostUnanswered = 10;
/** Number of malformed replies after which polling fails. */
const mostMalformed = 3;

/**
 * Polls the status of tasks until all are finished, as often as the service allows across all processes.
 *
 * @throws `SeparationRefused` for a task that failed, was cancelled elsewhere, is unknown or takes too long
 */
export async function awaitTasks(
  run: CloudRun,
  tasks: readonly StartedTask[],
): Promise<Map<StartedTask, Links>> {
  const { clock, config } = run.context;
  const finished = new Map<StartedTask, Links>();
  const progress = new Map<string, number>(tasks.map(({ taskId }) => [taskId, 0]));
  const unknown = new Map<string, { times: number; sinceMs: number }>();
  const unknownSeconds = Math.min(mostUnknownSeconds, config.cloudsep.taskSeconds / 10);
  const late = clock.monotonicMs() + config.cloudsep.taskSeconds * 1000;
  const eta = createEta(() => clock.monotonicMs());
  reportStage(run, 'waiting', 0, 'waiting for the cloud service');
  for (;;) {
    const waiting = tasks.filter((task) => !finished.has(task));
    if (waiting.length === 0) return finished;
    const replies = await checkTasks(
      run,
      waiting.map(({ taskId }) => taskId),
      late,
    );
    for (const task of waiting) {
      const reply = replies.get(task.taskId);
      // A missing status is no result: the minutes are paid, so only explicit replies about a task count.
      if (!reply) continue;
      if (reply.status === 'server_error') {
        const nowMs = clock.monotonicMs();
        const { times, sinceMs } = unknown.get(task.taskId) ?? { times: 0, sinceMs: nowMs };
        unknown.set(task.taskId, { times: times + 1, sinceMs });
        if (times + 1 >= mostUnknown && nowMs - sinceMs >= unknownSeconds * 1000)
          throw await lost(run, task, reply.error ?? '');
        continue;
      }
      unknown.delete(task.taskId);
      if (reply.status === 'progress') progress.set(task.taskId, reply.progress);
      else {
        finished.set(task, await linksIn(run, task, reply));
        progress.set(task.taskId, 100);
      }
    }
    const part = [...progress.values()].reduce((sum, percent) => sum + percent, 0) / (100 * tasks.length);
    if (part > 0) reportStage(run, 'splitting', part, 'splitting at the cloud service', eta(part));
    if (finished.size < tasks.length && clock.monotonicMs() > late) throw tooLate(run);
  }
}

function tooLate({ context }: CloudRun): Error {
  return new SeparationRefused(
    `the cloud service has not finished within ${context.config.cloudsep.taskSeconds} s. It is still working: Retry continues to wait and is not charged again`,
  );
}

/** Returns fresh links of a finished task. */
export async function freshLinks(run: CloudRun, task: StartedTask): Promise<Links> {
  return (await awaitTasks({ ...run, report: () => undefined }, [task])).get(task) ?? new Map();
}

/** Returns an estimator of the seconds left, from the rate since the first reported progress. */
function createEta(nowMs: () => number): (part: number) => number | null {
  let first: { part: number; atMs: number } | null = null;
  return (part) => {
    first ??= { part, atMs: nowMs() };
    const done = part - first.part;
    if (done <= 0) return null;
    return Math.ceil((((nowMs() - first.atMs) / done) * (1 - part)) / 1000);
  };
}

/**
 * Requests the status of all tasks at once, in the account's next time slot. Retries while the service is unavailable.
 */
async function checkTasks(
  run: CloudRun,
  taskIds: readonly string[],
  late: number,
): Promise<ReadonlyMap<string, CloudTaskReply>> {
  const { context, key, signal } = run;
  const gapSeconds = 60 / context.config.cloudsep.checksPerMinute;
  let malformed = 0;
  for (let unanswered = 1; ; unanswered++) {
    const waitMs = await store.reserveCheck(context.db, key.account, gapSeconds);
    if (context.clock.monotonicMs() + waitMs > late) throw tooLate(run);
    await pause(waitMs, signal);
    signal.throwIfAborted();
    try {
      return await key.client.check(taskIds);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CloudError)) throw error;
      if (!error.isPassing || unanswered >= mostUnanswered) throw error;
      if (error.problem === 'malformed' && ++malformed >= mostMalformed) throw error;
      const wait = Math.min(
        error.retryAfterSeconds ?? Math.min(30, 0.5 * 2 ** unanswered),
        longestPauseSeconds,
      );
      if (error.problem === 'busy') await store.pauseChecks(context.db, key.account, wait);
      else await pause(Math.min(wait, gapSeconds * 2 ** unanswered) * 1000, signal);
    }
  }
}

async function linksIn(
  run: CloudRun,
  task: StartedTask,
  reply: Exclude<CloudTaskReply, { status: 'progress' | 'server_error' }>,
): Promise<Links> {
  const { context } = run;
  const { split, row } = task;
  const settle = (state: 'done' | 'failed' | 'cancelled') =>
    store.settleTask(context.db, row.id, state, context.clock.now());
  const names = split.stemTypes.join(', ').replaceAll('_', ' ');
  if (reply.status === 'cancelled') {
    await settle('cancelled');
    throw new SeparationRefused(`the task for ${names} was cancelled at the cloud service`);
  }
  if (reply.status === 'error') {
    await settle('failed');
    const { detail } = reply.error;
    // The song does not contain this stem, which is a valid result.
    if (/unable to detect/i.test(detail)) return new Map(split.stemTypes.map((type) => [type, null]));
    throw new SeparationRefused(`the cloud service could not separate ${names}: “${toDisplayText(detail)}”`);
  }
  await settle('done');
  const links = linksOf(split, reply.result.tracks);
  const missing = split.stemTypes.filter((type) => !links.has(type));
  if (missing.length > 0) {
    throw new SeparationRefused(
      `the cloud service sent an incomplete result: ${missing.join(', ')} is missing`,
    );
  }
  return links;
}

async function lost({ context }: CloudRun, { row }: StartedTask, message: string): Promise<Error> {
  await store.settleTask(context.db, row.id, 'lost', context.clock.now());
  const shown = toDisplayText(message);
  return new SeparationRefused(
    `the cloud service no longer knows a task that it charged ${row.minutes} minutes for${shown && ` (“${shown}”)`}. Retry requests it again and is charged again`,
  );
}

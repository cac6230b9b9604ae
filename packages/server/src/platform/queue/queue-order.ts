import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { type Flow, findFlowStates, findQueueClasses } from './fair-share.store.ts';
import { type QueueClass, tagJobs, typicalSeconds } from './fair-share.ts';
import type { JobRequest } from './jobs.ts';

/** Position of a job in its line. */
export type QueueOrder = Pick<JobRow, 'queue_line' | 'queue_class' | 'queue_tag' | 'queue_finish_tag'>;

/**
 * Returns the positions of requested jobs in their lines, in the order of the requests. Uses fair queueing between
 * users by requested work. The number of statements does not depend on the number of jobs.
 *
 * @see docs/decisions/0225-fair-queues.md
 */
export async function orderJobs(
  context: Context,
  tx: Tx,
  requests: readonly JobRequest[],
): Promise<QueueOrder[]> {
  const classes = await classesOf(tx, requests);
  const costs = await costsOf(context, tx, requests);
  const flows = new Map<string, Flow & { readonly members: number[] }>();
  for (const [index, request] of requests.entries()) {
    const line = context.queue.lineOf(request);
    const queueClass = classes[index] ?? 'interactive';
    const key = `${line} ${request.user_id} ${queueClass}`;
    const flow = flows.get(key) ?? { line, userId: request.user_id, queueClass, members: [] };
    flow.members.push(index);
    flows.set(key, flow);
  }
  const states = await findFlowStates(tx, [...flows.values()]);
  const orders: QueueOrder[] = [];
  for (const [position, { line, queueClass, members }] of [...flows.values()].entries()) {
    const state = states[position] ?? { virtualTime: 0, finishTag: 0 };
    const tags = tagJobs(
      state,
      queueClass,
      members.map((index) => costs[index] ?? typicalSeconds),
    );
    for (const [n, index] of members.entries()) {
      const tag = tags[n];
      if (tag) orders[index] = { queue_line: line, queue_class: queueClass, ...tag };
    }
  }
  return orders;
}

async function classesOf(tx: Tx, requests: readonly JobRequest[]): Promise<QueueClass[]> {
  const followed = requests.flatMap(({ follows }) => follows ?? []);
  const known = followed.length === 0 ? null : await findQueueClasses(tx, followed);
  return requests.map(({ batch_id, follows }) => {
    if (batch_id) return 'batch';
    return (follows && known?.get(follows)) || 'interactive';
  });
}

/** Returns the cost of each job in seconds of audio. */
async function costsOf(context: Context, tx: Tx, requests: readonly JobRequest[]): Promise<number[]> {
  const costs = requests.map(() => typicalSeconds);
  for (const [type, indexes] of Map.groupBy(requests.keys(), (index) => requests[index]?.type)) {
    const worker = type && context.queue.workerOf(type);
    if (!worker?.costs) continue;
    const asked = indexes.flatMap((index) => {
      const request = requests[index];
      const args = request && worker.args.parse(request.args);
      return args?.kind === 'readable'
        ? [{ index, subject: request?.subject ?? null, args: args.value }]
        : [];
    });
    const found = await worker.costs(tx, asked);
    for (const [n, { index }] of asked.entries()) costs[index] = found[n] || typicalSeconds;
  }
  return costs;
}

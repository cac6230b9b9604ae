import type { HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import type { listAllJobs, listUsers } from '@stem-studio/contract/endpoints/admin';
import { metaFor } from '@stem-studio/contract/envelope';
import { jobTypes } from '@stem-studio/contract/states';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { countJobs, listJobs } from '../../platform/queue/jobs.store.ts';
import { presentJobs } from '../jobs/index.ts';
import { listUsage } from '../quotas/index.ts';
import { listUsers as findUsers, getUser, listEmails } from '../users/index.ts';
import * as store from './admin.store.ts';

/** Returns a page of all users. */
export async function showUsers(
  context: Context,
  query: HandlerInput<typeof listUsers>['query'],
): Promise<ReplyOf<typeof listUsers>> {
  const { page, page_size, sort, ...filter } = query;
  const part = { offset: (page - 1) * page_size, limit: page_size };
  const { rows, totalCount } = await findUsers(context.db, filter, sort, part);
  const usage = await listUsage(
    context,
    rows.map(({ id }) => id),
  );
  return {
    // Users deleted in between are omitted.
    data: rows.flatMap((row) => {
      const used = usage.get(row.id);
      if (!used) return [];
      const created_at = row.created_at.toISOString();
      return [{ ...row, ...used, created_at, last_active_at: row.last_active_at?.toISOString() ?? null }];
    }),
    meta: metaFor(page, page_size, totalCount),
  };
}

/** Returns a user as presented to admins. Throws `NOT_FOUND`. */
export async function showUser(
  context: Context,
  id: number,
): Promise<ReplyOf<typeof listUsers>['data'][number]> {
  const user = await getUser(context, id);
  const used = (await listUsage(context, [id])).get(id);
  if (!used) throw notFound('user');
  return { ...user, ...used };
}

/** Returns the workload of each kind and a page of all users' jobs. */
export async function showAllJobs(
  context: Context,
  query: HandlerInput<typeof listAllJobs>['query'],
): Promise<ReplyOf<typeof listAllJobs>> {
  const { page, page_size, type, status, user_id } = query;
  const filter = { type, statuses: status, user_id };
  const [workloads, rows, totalCount] = await Promise.all([
    store.listWorkloads(context.db, context.clock.now()),
    listJobs(context.db, { ...filter, limit: page_size, offset: (page - 1) * page_size }),
    countJobs(context.db, filter),
  ]);
  const [jobs, emails] = await Promise.all([
    presentJobs(context.db, rows),
    listEmails(
      context.db,
      rows.map((row) => row.user_id),
    ),
  ]);
  return {
    data: {
      queues: jobTypes.map((name) => {
        const found = workloads.find((workload) => workload.type === name);
        return {
          type: name,
          queued: found?.queued ?? 0,
          running: found?.running ?? 0,
          completed_last_day: found?.completed_last_day ?? 0,
          failed_last_day: found?.failed_last_day ?? 0,
          oldest_queued_at: found?.oldest_queued_at?.toISOString() ?? null,
        };
      }),
      jobs: jobs.map((job, index) => {
        const user_id = rows[index]?.user_id ?? 0;
        return { ...job, user_id, user_email: emails.get(user_id) ?? '' };
      }),
    },
    meta: metaFor(page, page_size, totalCount),
  };
}

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf, pageMeta, pageOf, pageQuery } from '../envelope.ts';
import { timestamp, userId } from '../ids.ts';
import { job } from '../resources/job.ts';
import { quota, usage } from '../resources/usage.ts';
import { user } from '../resources/user.ts';
import { role } from '../roles.ts';
import { jobType } from '../states.ts';
import { someStatuses } from './jobs.ts';

/** User as listed for admins. */
const listedUser = user.extend({
  usage,
  /** Limits set for this user. */
  quota,
});

const sortFields = ['created_at', 'last_active_at', 'email', 'role'] as const;

/** Sort orders of the list of users; a leading `-` reverses. */
export const userSort = z.enum([...sortFields, ...sortFields.map((name) => `-${name}` as const)]);
/** Sort order of the list of users. */
export type UserSort = z.infer<typeof userSort>;

/** Lists all users of the service, paginated. */
export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  summary: 'Users with their roles',
  auth: 'api',
  scope: 'admin',
  role: 'admin',
  status: 200,
  query: z.strictObject({
    ...pageQuery,
    /** Substring of the email address. */
    q: z.string().trim().max(160).optional(),
    role: role.optional(),
    status: user.shape.status.optional(),
    sort: userSort.default('-created_at'),
  }),
  reply: pageOf(listedUser),
});

/**
 * Changes the role, status or quota of another user. Only a platform admin may change a platform admin, the role
 * cannot be granted here, and the last one cannot be removed.
 */
export const updateUser = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/:id',
  summary: "Change a user's role, status or quota",
  auth: 'api',
  scope: 'admin',
  role: 'admin',
  status: 200,
  errors: ['NOT_FOUND', 'OWN_ACCOUNT', 'LAST_PLATFORM_ADMIN'],
  params: z.object({
    id: z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number)
      .pipe(userId),
  }),
  body: z
    .strictObject({
      role: z.enum(['user', 'admin'], {
        error: 'must be user or admin; platform_admin is given on the command line only',
      }),
      status: user.shape.status,
      /** Omitted limits do not change. */
      quota: quota.partial(),
    })
    .partial()
    .refine((change) => Object.values(change).some((value) => value !== undefined), {
      error: 'must name a role, a status or a quota',
    }),
  reply: dataOf(listedUser),
});

/** Job counts of one type. */
const workload = z.object({
  type: jobType,
  /** Jobs waiting for a worker. */
  queued: z.int(),
  /** Jobs being processed. */
  running: z.int(),
  /** Jobs finished in the last 24 hours. */
  completed_last_day: z.int(),
  failed_last_day: z.int(),
  /** Creation time of the oldest waiting job; null if none waits. */
  oldest_queued_at: timestamp.nullable(),
});

/** Lists the jobs of all users: counts per type, and a page of jobs, newest first. */
export const listAllJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  summary: 'The queues of the whole service',
  auth: 'api',
  scope: 'admin',
  role: 'admin',
  status: 200,
  query: z.strictObject({
    ...pageQuery,
    type: jobType.optional(),
    status: someStatuses.optional(),
    user_id: z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be the id of a user')
      .transform(Number)
      .optional(),
  }),
  reply: dataOf(
    z.object({
      queues: z.array(workload),
      jobs: z.array(job.extend({ user_id: userId, user_email: z.string() })),
    }),
  ).extend({ meta: pageMeta }),
});

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf, pageOf, pageQuery } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { job } from '../resources/job.ts';
import { jobStatus, jobType } from '../states.ts';

/** One job state, or several separated by commas. */
export const someStatuses = z
  .string()
  .refine(
    (text) => text.split(',').every((part) => jobStatus.safeParse(part).success),
    `must be one of ${jobStatus.options.join(', ')}, or several with commas between them`,
  )
  .transform((text) => z.array(jobStatus).parse(text.split(',')));

/** Lists the caller's jobs, newest first. */
export const listJobs = endpoint({
  method: 'GET',
  path: '/api/jobs',
  summary: 'Recent jobs of the caller',
  auth: 'api',
  scope: 'jobs:read',
  status: 200,
  query: z.strictObject({
    ...pageQuery,
    type: jobType.optional(),
    status: someStatuses.optional(),
    track_id: uuid.optional(),
    /** Only jobs of this import, or with `none` only jobs of no import. */
    import_id: uuid.or(z.literal('none')).optional(),
  }),
  reply: pageOf(job),
});

/** Returns a job of any type. */
export const getJob = endpoint({
  method: 'GET',
  path: '/api/jobs/:id',
  summary: 'A job of any kind',
  auth: 'api',
  scope: 'jobs:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(job),
});

/**
 * Cancels a pending or running job: its process is terminated, its partial files are removed, and its error is
 * `cancelled`.
 */
export const cancelJob = endpoint({
  method: 'DELETE',
  path: '/api/jobs/:id',
  summary: 'Cancel a pending or running job',
  auth: 'api',
  scope: 'jobs:write',
  status: 204,
  errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  params: idParams,
});

/** Retries a failed job: creates a new job with the same request. */
export const retryJob = endpoint({
  method: 'POST',
  path: '/api/jobs/:id/retry',
  summary: 'Run the work of a failed job again',
  auth: 'api',
  scope: 'jobs:write',
  status: 201,
  errors: ['NOT_FOUND', 'JOB_NOT_RETRYABLE', 'TRACK_NOT_DOWNLOADED', 'QUOTA_EXCEEDED'],
  params: idParams,
  reply: dataOf(job),
});

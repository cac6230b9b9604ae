import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const healthReport = z.object({
  /** `ok`, or `error` with status 503. */
  status: z.enum(['ok', 'error']),
  /** Problems, one sentence each; absent if there are none. */
  reasons: z.array(z.string()).optional(),
});

/**
 * Reports whether the service, its database and its disk work: `{"status":"ok"}`, or 503 with reasons. Replies within
 * a second even if a check hangs. No `data` envelope, as for the two endpoints below.
 */
export const health = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'Whether the service, its database and its disk work',
  auth: 'none',
  isUnlimited: true,
  status: 200,
  reply: healthReport,
});

/** Reports whether the process replies at all. Restart the process when this check fails, not when `/health` does. */
export const healthLive = endpoint({
  method: 'GET',
  path: '/health/live',
  summary: 'Whether the process answers',
  auth: 'none',
  isUnlimited: true,
  status: 200,
  reply: healthReport,
});

/**
 * Reports whether the service accepts requests: the database replies, its schema is current, and the service is not
 * shutting down.
 */
export const healthReady = endpoint({
  method: 'GET',
  path: '/health/ready',
  summary: 'Whether the service takes requests',
  auth: 'none',
  isUnlimited: true,
  status: 200,
  reply: healthReport,
});

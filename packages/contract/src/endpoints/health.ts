import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

const healthReport = z.object({
  /** `ok`, or `error` with status 503. */
  status: z.enum(['ok', 'error']),
  /** What is wrong, a sentence each; absent when nothing is. */
  reasons: z.array(z.string()).optional(),
});

/**
 * Whether the service, its database and its disk work: `{"status":"ok"}`, or 503 with reasons. Answers within a second
 * whatever hangs. Without the `data` envelope, as are the two below.
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

/** Whether the process answers at all. Restart it when this fails, not when `/health` does. */
export const healthLive = endpoint({
  method: 'GET',
  path: '/health/live',
  summary: 'Whether the process answers',
  auth: 'none',
  isUnlimited: true,
  status: 200,
  reply: healthReport,
});

/** Whether requests may be sent here: the database answers, its schema is up to date, the service is not stopping. */
export const healthReady = endpoint({
  method: 'GET',
  path: '/health/ready',
  summary: 'Whether the service takes requests',
  auth: 'none',
  isUnlimited: true,
  status: 200,
  reply: healthReport,
});

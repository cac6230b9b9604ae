import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/** Whether the service runs; the only reply without the `data` envelope beside the analysis export. */
export const health = endpoint({
  method: 'GET',
  path: '/health',
  summary: 'Whether the service runs',
  auth: 'none',
  status: 200,
  reply: z.object({ status: z.literal('ok') }),
});

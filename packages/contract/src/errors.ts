import { z } from 'zod';
import { type ErrorCode, errorCodes } from './error-codes.ts';

/** Error messages by field name, as in a 422 reply. */
export type ErrorDetails = Record<string, string[]>;

/** Body of every error reply. `details` is present on every 422, `retry_after` (seconds) on every 429. */
export const errorBody = z.object({
  error: z.string(),
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  details: z.record(z.string(), z.array(z.string())).optional(),
  retry_after: z.int().optional(),
});
/** Body of every error reply. */
export type ErrorBody = z.infer<typeof errorBody>;

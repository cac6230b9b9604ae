import { z } from 'zod';
import { timestamp, userId } from '../ids.ts';
import { role } from '../roles.ts';

/** Email address as stored: trimmed, lower case, at most 160 characters. */
export const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(160)
  .pipe(z.email('must be an email address, such as name@example.org'));

/** Bounds of a password, in characters. */
export const passwordBounds = { min: 12, max: 256 } as const;

/** New password: 12 to 256 characters. The service additionally rejects common passwords. */
export const newPassword = z
  .string()
  .min(passwordBounds.min, `must be at least ${passwordBounds.min} characters`)
  .max(passwordBounds.max, `must be at most ${passwordBounds.max} characters`);

/**
 * User as returned by the API; the password is write-only.
 *
 * @spec Users and registration
 */
export const user = z.object({
  id: userId,
  email: z.string(),
  role,
  status: z.enum(['active', 'deactivated']),
  created_at: timestamp,
  last_active_at: timestamp.nullable(),
});
/** User as returned by the API. */
export type User = z.infer<typeof user>;

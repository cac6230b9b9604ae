import { isDatabaseUnavailable } from '../../platform/db/connection.ts';
import { ServiceError } from '../../platform/errors.ts';
import { fail, type Verdict } from '../../platform/queue/verdict.ts';

/** Returns the failure with advice for the user. Null for errors that are temporary or that the user cannot fix. */
export function explainDownloadFailure(error: unknown): Verdict | null {
  // A restarting database has no socket file either (ENOENT), which is temporary.
  if (isDatabaseUnavailable(error)) return null;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fail('The disk is full. Nothing partial was kept; free some space, then press Retry.');
  }
  if (code === 'ENOENT')
    return fail('The file is no longer at the path that the catalog lists. Nothing was stored.');
  if (code === 'EACCES' || code === 'EPERM')
    return fail('The file cannot be read: the studio lacks the permission. Nothing was stored.');
  return error instanceof ServiceError ? fail(error.message) : null;
}

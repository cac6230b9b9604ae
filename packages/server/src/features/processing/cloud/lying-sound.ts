import type { Context } from '../../../platform/context.ts';
import { type CloudUploadRow, findUpload, type UploadedSound } from './cloud-tasks.store.ts';

/**
 * Shortest remaining time, in ms, of an upload at the service that is reused. The stems of an older one would expire
 * before they are fetched.
 */
const shortestStayMs = 15 * 60_000;

/** Returns an upload that stays at the service long enough to be used, or undefined. */
export function findLyingSound(context: Context, sound: UploadedSound): Promise<CloudUploadRow | undefined> {
  const until = new Date(context.clock.now().getTime() + shortestStayMs);
  return findUpload(context.db, sound, until);
}

import type { Context } from '../../../platform/context.ts';
import { type CloudUploadRow, findUpload, type UploadedAudio } from './cloud-tasks.store.ts';

/**
 * Shortest remaining time, in ms, of an upload at the service that is reused. The stems of an older one would expire
 * before they are fetched.
 */
const shortestStayMs = 15 * 60_000;

/** Returns an upload that stays at the service long enough to be used, or undefined. */
export function findStoredUpload(
  context: Context,
  audio: UploadedAudio,
): Promise<CloudUploadRow | undefined> {
  const until = new Date(context.clock.now().getTime() + shortestStayMs);
  return findUpload(context.db, audio, until);
}

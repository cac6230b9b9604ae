import type { Context } from '../../../platform/context.ts';
import { type CloudUploadRow, findUpload, type UploadedSound } from './cloud-tasks.store.ts';

/** What lies at the service for less than this is sent again: its stems would be gone before they are fetched. */
const shortestStayMs = 15 * 60_000;

/** A sound that lies at the service for long enough to be used; undefined where there is none. */
export function findLyingSound(context: Context, sound: UploadedSound): Promise<CloudUploadRow | undefined> {
  const until = new Date(context.clock.now().getTime() + shortestStayMs);
  return findUpload(context.db, sound, until);
}

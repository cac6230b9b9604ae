import type { Context } from '../../context.ts';
import { listExistingSources } from '../tracks/index.ts';
import { listAwaitedUploads } from './downloads.store.ts';

/** A folder younger than this may belong to a download that is about to write its row. */
const graceSeconds = 900;

/**
 * Removes folders of sound that no row knows: what a crash left between its files and its row. Uploads whose job can
 * still be retried stay. Answers how many went.
 */
export async function removeOrphanedSources(context: Context): Promise<number> {
  const before = context.clock.now().getTime() - graceSeconds * 1000;
  const folders = (await context.files.listFolders('downloads')).filter(
    (folder) => folder.modified.getTime() < before,
  );
  const ids = folders.map((folder) => folder.name);
  const known = await listExistingSources(context.db, ids);
  const awaited = await listAwaitedUploads(context.db);
  let removed = 0;
  for (const id of ids) {
    if (known.has(id) || awaited.has(id)) continue;
    await context.files.removeFolder(`downloads/${id}`);
    removed++;
  }
  return removed;
}

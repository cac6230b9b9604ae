import { uuid } from '@stem-studio/contract/ids';
import type { Context } from '../../context.ts';
import { quarantineOrphan } from '../../platform/files/orphans.ts';
import { listExistingSources } from '../tracks/index.ts';
import { listAwaitedUploads } from './downloads.store.ts';

/** A folder younger than this may belong to a download that is about to write its row. */
const graceSeconds = 900;
const idsAtOnce = 1000;

/**
 * Moves folders of received audio that no record names to the quarantine. Uploads whose job can still be retried stay.
 * Answers how many were moved.
 */
export async function quarantineOrphanedSources(context: Context): Promise<number> {
  const before = context.clock.now().getTime() - graceSeconds * 1000;
  const folders = (await context.files.listFolders('downloads')).filter(
    (folder) => folder.modified.getTime() < before,
  );
  const awaited = await listAwaitedUploads(context.db);
  // What is not named by an id was not stored by the service.
  const ids = folders.map(({ name }) => name).filter((name) => uuid.safeParse(name).success);
  let moved = 0;
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce);
    const known = await listExistingSources(context.db, some);
    for (const id of some) {
      if (known.has(id) || awaited.has(id)) continue;
      if (await quarantineOrphan(context, `downloads/${id}`)) moved++;
    }
  }
  return moved;
}

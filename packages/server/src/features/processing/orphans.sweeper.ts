import { uuid } from '@stem-studio/contract/ids';
import type { Context } from '../../platform/context.ts';
import { quarantineOrphan } from '../../platform/files/orphans.ts';
import { listStemJobs } from './processing.store.ts';

/** Age in seconds below which a folder may belong to a separation that is about to insert its records. */
const graceSeconds = 900;
const idsAtOnce = 1000;

/** Moves orphaned stem folders to the quarantine. Returns the number of moved folders. */
export async function quarantineOrphanedStems(context: Context): Promise<number> {
  const before = context.clock.now().getTime() - graceSeconds * 1000;
  const folders = (await context.files.listFolders('stems')).filter(
    (folder) => folder.modified.getTime() < before,
  );
  // The service names its folders by id, so that other folders are not its own.
  const ids = folders.map(({ name }) => name).filter((name) => uuid.safeParse(name).success);
  let moved = 0;
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    const some = ids.slice(at, at + idsAtOnce);
    const known = await listStemJobs(context.db, some);
    for (const id of some) {
      if (known.has(id)) continue;
      if (await quarantineOrphan(context, `stems/${id}`)) moved++;
    }
  }
  return moved;
}

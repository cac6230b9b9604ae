import type { Context } from '../../context.ts';
import { listStemJobs } from './processing.store.ts';

/** A folder younger than this may belong to a separation that is about to write its records. */
const graceSeconds = 900;

/** Removes folders of stems that no record names: what a crash left between files and rows. Answers how many went. */
export async function removeOrphanedStems(context: Context): Promise<number> {
  const before = context.clock.now().getTime() - graceSeconds * 1000;
  const folders = (await context.files.listFolders('stems')).filter(
    (folder) => folder.modified.getTime() < before,
  );
  const known = await listStemJobs(
    context.db,
    folders.map((folder) => folder.name),
  );
  let removed = 0;
  for (const { name } of folders) {
    if (known.has(name)) continue;
    await context.files.removeFolder(`stems/${name}`);
    removed++;
  }
  return removed;
}

import { uuid } from '@stem-studio/contract/ids';
import type { Context } from '../../platform/context.ts';
import { quarantineOrphan } from '../../platform/files/orphans.ts';
import { listSourceFiles } from '../tracks/index.ts';
import { listAwaitedUploads } from './downloads.store.ts';

/** Age in seconds below which a folder may belong to a download that is about to insert its row. */
const graceSeconds = 900;
/** Folders of known audio that have not changed for this many seconds are not inspected again. */
const lookBackSeconds = 7 * 86_400;
const idsAtOnce = 1000;

/**
 * Moves orphaned received audio to the quarantine. This includes whole folders, and files in the folders of known
 * audio, such as another quality whose job was interrupted and never resumed. Uploads whose job can still be retried
 * stay. Returns the number of moved folders and files.
 */
export async function quarantineOrphanedSources(context: Context): Promise<number> {
  const nowMs = context.clock.now().getTime();
  const before = nowMs - graceSeconds * 1000;
  const folders = (await context.files.listFolders('downloads')).filter(
    // The service names its folders by id, so that other folders are not its own.
    ({ name, modified }) => modified.getTime() < before && uuid.safeParse(name).success,
  );
  const awaited = await listAwaitedUploads(context.db);
  let moved = 0;
  for (let at = 0; at < folders.length; at += idsAtOnce) {
    const some = folders.slice(at, at + idsAtOnce);
    const known = await listSourceFiles(
      context.db,
      some.map(({ name }) => name),
    );
    for (const { name: id, modified } of some) {
      const named = known.get(id);
      const isRecent = modified.getTime() > nowMs - lookBackSeconds * 1000;
      const orphans = named
        ? isRecent
          ? await listUnnamed(context, `downloads/${id}`, named)
          : []
        : awaited.has(id)
          ? []
          : [`downloads/${id}`];
      for (const path of orphans) if (await quarantineOrphan(context, path)) moved++;
    }
  }
  return moved;
}

/** Returns the files of a folder that are not in `named`. */
async function listUnnamed(
  { files }: Context,
  folder: string,
  named: ReadonlySet<string>,
): Promise<string[]> {
  const paths = (await files.listFiles(folder)).map((name) => `${folder}/${name}`);
  return paths.filter((path) => !named.has(path));
}

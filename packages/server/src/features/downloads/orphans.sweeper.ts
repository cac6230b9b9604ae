import { uuid } from '@stem-studio/contract/ids';
import type { Context } from '../../platform/context.ts';
import { quarantineOrphan } from '../../platform/files/orphans.ts';
import { listSourceFiles } from '../tracks/index.ts';
import { listAwaitedUploads } from './downloads.store.ts';

/** A folder younger than this may belong to a download that is about to write its row. */
const graceSeconds = 900;
/** Folders of known audio that have not changed for so long are not looked into again. */
const lookBackSeconds = 7 * 86_400;
const idsAtOnce = 1000;

/**
 * Moves received audio that no record names to the quarantine: whole folders, and files in the folders of known audio,
 * such as another quality whose job was interrupted and never went on. Uploads whose job can still be retried stay.
 * Answers how many folders and files were moved.
 */
export async function quarantineOrphanedSources(context: Context): Promise<number> {
  const nowMs = context.clock.now().getTime();
  const before = nowMs - graceSeconds * 1000;
  const folders = (await context.files.listFolders('downloads')).filter(
    // What is not named by an id was not stored by the service.
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

/** Files of a folder that are not among those named. */
async function listUnnamed(
  { files }: Context,
  folder: string,
  named: ReadonlySet<string>,
): Promise<string[]> {
  const paths = (await files.listFiles(folder)).map((name) => `${folder}/${name}`);
  return paths.filter((path) => !named.has(path));
}

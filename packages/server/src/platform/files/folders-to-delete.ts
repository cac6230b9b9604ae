import { whileNoBackup } from '../backup/deletion-hold.store.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';

const rowsAtOnce = 1000;
const foldersAtOnce = 50;

/**
 * Marks folders for deletion in the caller's transaction. {@link deleteMarkedFolders} removes them after the commit, in
 * any process and even after a crash.
 */
export async function markFoldersForDeletion(
  context: Context,
  tx: Tx,
  paths: readonly string[],
): Promise<void> {
  const created_at = context.clock.now();
  for (let at = 0; at < paths.length; at += rowsAtOnce) {
    const rows = paths.slice(at, at + rowsAtOnce).map((path) => ({ path, created_at }));
    await tx
      .insertInto('folders_to_delete')
      .values(rows)
      .onConflict((conflict) => conflict.column('path').doNothing())
      .execute();
  }
}

/**
 * Removes all folders that are marked for deletion and returns their number. Removes nothing while a backup runs. A
 * folder that cannot be removed is logged and retried later.
 */
export async function deleteMarkedFolders(context: Context): Promise<number> {
  return (await whileNoBackup(context, () => deleteAllMarked(context))) ?? 0;
}

async function deleteAllMarked(context: Context): Promise<number> {
  const rows = await context.db
    .selectFrom('folders_to_delete')
    .select('path')
    .orderBy('created_at')
    .execute();
  let removed = 0;
  for (let at = 0; at < rows.length; at += foldersAtOnce) {
    const some = rows.slice(at, at + foldersAtOnce).map(({ path }) => path);
    const gone = (await Promise.all(some.map((path) => deleteMarked(context, path)))).filter(
      (path) => path !== null,
    );
    if (gone.length > 0) await context.db.deleteFrom('folders_to_delete').where('path', 'in', gone).execute();
    removed += gone.length;
  }
  return removed;
}

/** Removes one folder. Returns its path, or null if that failed. */
async function deleteMarked(context: Context, path: string): Promise<string | null> {
  try {
    await context.files.removeFolder(path);
    return path;
  } catch (error) {
    context.log.warn({ err: error, path }, 'a folder could not be removed');
    return null;
  }
}

import type { Context } from '../context.ts';
import type { QuarantinedFolder } from './quarantine.ts';

const secondsOfDay = 86_400;

/**
 * Moves a stored folder that no database record references to the quarantine, and logs it. Unreferenced folders are
 * never deleted at once: the database may be the wrong one, or older than the files. Returns whether the folder was
 * moved.
 */
export async function quarantineOrphan(context: Context, path: string): Promise<boolean> {
  const { config, clock, files, log } = context;
  let moved: QuarantinedFolder | null;
  try {
    moved = await files.quarantine.add(path, 'no record of the database names it', clock.now());
  } catch (error) {
    log.warn({ err: error, path }, 'a folder that no record names could not be moved to the quarantine');
    return false;
  }
  if (!moved) return false;
  const { entry, bytes } = moved;
  log.warn(
    { path, entry, files: moved.files, bytes },
    `no record of the database names ${path}: it was moved to the quarantine and is deleted in ${config.quarantineDays} days ("studio storage orphans" lists it)`,
  );
  return true;
}

/** Deletes quarantined folders that are older than the configured period, and logs each. Returns their number. */
export async function purgeExpiredOrphans({ config, clock, files, log }: Context): Promise<number> {
  const before = clock.now().getTime() - config.quarantineDays * secondsOfDay * 1000;
  let purged = 0;
  for (const { entry, path, movedAt, bytes } of await files.quarantine.list()) {
    if (movedAt.getTime() >= before) continue;
    await files.quarantine.purge(entry);
    log.warn(
      { entry, path, bytes, moved_at: movedAt },
      'a folder was deleted from the quarantine: its retention period has ended',
    );
    purged += 1;
  }
  return purged;
}

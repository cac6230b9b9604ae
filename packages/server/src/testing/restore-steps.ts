import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { wiringOf } from '../app.ts';
import { features } from '../features.ts';
import { type CreatedBackup, createBackup } from '../platform/backup/create-backup.ts';
import { type Restored, restoreBackup } from '../platform/backup/restore-backup.ts';
import { verifyBackup } from '../platform/backup/verify-backup.ts';
import { systemClock } from '../platform/clock.ts';
import type { Connection } from '../platform/db/connection.ts';
import { createLog } from '../platform/log.ts';
import { createEmptyDatabase, quietWork, sourceOf } from './backup-steps.ts';
import type { TestContext, TestLifetime } from './test-context.ts';

/** Backs up a test's context into its folder `backups`. */
export function backUp(context: TestContext): Promise<CreatedBackup> {
  return createBackup(sourceOf(context), { ...quietWork, root: join(context.folder, 'backups') });
}

/** Copies a backup, so that a test may damage the copy. */
export async function copyBackup(
  context: TestContext,
  { folder }: CreatedBackup,
  name: string,
): Promise<string> {
  const copy = join(context.folder, name);
  await cp(folder, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Result of a restore, with its database and its folders. */
export interface RestoredStudio extends Restored {
  readonly connection: Connection;
  readonly dataDir: string;
  readonly uploadsDir: string;
}

/** Verifies a backup and restores it into a new database, or a given one, and a new folder. */
export async function restoreElsewhere(
  t: TestLifetime,
  context: TestContext,
  folder: string,
  given: { readonly connection?: Connection; readonly name?: string; readonly signal?: AbortSignal } = {},
): Promise<RestoredStudio> {
  const connection = given.connection ?? (await createEmptyDatabase(t));
  const dataDir = join(context.folder, given.name ?? 'restored');
  const uploadsDir = join(dataDir, 'uploads');
  const config = { ...context.config, dataDir, uploadsDir, modelsDir: join(dataDir, 'models') };
  const work = { ...quietWork, ...(given.signal && { signal: given.signal }) };
  const restored = await restoreBackup(
    await verifyBackup(folder, systemClock, work),
    {
      connection,
      config,
      workers: wiringOf(features).workers,
      log: createLog('silent'),
      clock: systemClock,
    },
    work,
  );
  return { ...restored, connection, dataDir, uploadsDir };
}

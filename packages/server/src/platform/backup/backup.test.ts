import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  createEmptyDatabase,
  everyFile,
  everyRow,
  fillLibraryForBackup,
  quietWork,
  schemaText,
  sourceOf,
} from '../../testing/backup-steps.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { createLog } from '../log.ts';
import { systemClock } from '../clock.ts';
import { features } from '../../features.ts';
import { wiringOf } from '../../app.ts';
import { createBackup } from './create-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { verifyBackup } from './verify-backup.ts';

const log = createLog('silent');
const { workers } = wiringOf(features);

test('a backup restores every row, every file and the schema as they were', async (t) => {
  const library = await openLibrary(t);
  const { context } = library;
  await fillLibraryForBackup(library);
  const root = join(context.folder, 'backups');
  const made = await createBackup(sourceOf(context), { ...quietWork, root });
  assert.deepEqual(made.manifest.missing, { count: 0, first: [] });
  const connection = await createEmptyDatabase(t);
  const dataDir = join(context.folder, 'restored');
  const config = {
    ...context.config,
    dataDir,
    uploadsDir: join(dataDir, 'uploads'),
    modelsDir: join(dataDir, 'models'),
  };
  const backup = await verifyBackup(made.folder, systemClock, quietWork);
  assert.deepEqual(backup.unknown, []);
  const restored = await restoreBackup(backup, { connection, config, workers, log, clock: systemClock }, quietWork);
  assert.deepEqual(await everyRow(connection), await everyRow(context.connection));
  assert.deepEqual(await everyFile(config.uploadsDir), await everyFile(context.config.uploadsDir));
  assert.deepEqual(await schemaText(connection), await schemaText(context.connection));
  assert.equal(restored.key, 'needed');
  assert.ok(restored.requeued >= 2);
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { purgeDeletedTracks } from '../../features/tracks/tracks.sweeper.ts';
import { features } from '../../features.ts';
import { everyFile, quietWork, sourceOf, withClient } from '../../testing/backup-steps.ts';
import { eventually } from '../../testing/eventually.ts';
import { backUp, restoreElsewhere } from '../../testing/restore-steps.ts';
import { insertStoredTrack, openSmallLibrary } from '../../testing/small-library.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { deleteMarkedFolders, markFoldersForDeletion } from '../files/folders-to-delete.ts';
import { createBackup } from './create-backup.ts';
import { whileNoBackup, whileNothingIsDeleted } from './deletion-hold.store.ts';
import { listNamedFiles } from './schema-facts.store.ts';

test('contains every referenced file in a backup during uploads and deletions', async (t) => {
  const clock = createTestClock();
  const context = await openSmallLibrary(t, { clock });
  const user = await insertTestUser(context);
  const { db } = context;
  const over = new AbortController();
  // Is never deleted, so that each backup has a track.
  const kept = await insertStoredTrack(context, user.id, Buffer.alloc(20_000, 255));
  const upload = async () => {
    for (let n = 0; !over.signal.aborted; n++)
      await insertStoredTrack(context, user.id, Buffer.alloc(20_000, n));
  };
  // Deletes permanently as fast as possible, without the grace period of ten minutes.
  const remove = async () => {
    while (!over.signal.aborted) {
      const long = new Date(0);
      await db
        .updateTable('tracks')
        .set({ deleted_at: long })
        .where('id', 'in', (some) =>
          some
            .selectFrom('tracks')
            .select('id')
            .where('id', '<>', kept.trackId)
            .orderBy('created_at')
            .limit(3),
        )
        .execute();
      await whileNoBackup(context, () => purgeDeletedTracks(context));
    }
  };
  const load = [upload(), remove()];
  try {
    for (let round = 0; round < 2; round++) {
      const later = new Date(Date.UTC(2030, 0, 1, 0, round));
      const source = { ...sourceOf(context), clock: { ...clock, now: () => later } };
      const made = await createBackup(source, { ...quietWork, root: join(context.folder, 'backups') });
      assert.deepEqual(made.manifest.missing, { count: 0, first: [] });
      assert.ok((made.manifest.database.tables.find(({ name }) => name === 'tracks')?.rows ?? 0) > 0);
      const restored = await restoreElsewhere(t, context, made.folder, { name: `restored-${round}` });
      const files = await everyFile(restored.uploadsDir);
      const named = await withClient(restored.connection, listNamedFiles);
      assert.ok(named.size > 0);
      for (const path of named) assert.ok(path in files, `${path} is named and not restored`);
    }
  } finally {
    over.abort();
    await Promise.all(load);
  }
});

test('suspends every deletion while a backup runs, and waits for a running deletion before a backup', async (t) => {
  const clock = createTestClock();
  const context = await openSmallLibrary(t, { clock });
  const stored = () => everyFile(context.config.uploadsDir);
  const before = await stored();
  await context.db.transaction().execute((tx) => markFoldersForDeletion(context, tx, ['downloads']));
  await context.db
    .updateTable('tracks')
    .set({ deleted_at: new Date(0) })
    .execute();
  clock.advance(3600);
  const sweep = async () => {
    await deleteMarkedFolders(context);
    for (const feature of features) await (await feature.start?.(context))?.();
  };
  let end = () => undefined as void;
  const held = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isHolding = false;
  const backup = whileNothingIsDeleted(context.connection, quietWork.signal, async () => {
    isHolding = true;
    await held;
  });
  await eventually(() => isHolding, Boolean);
  await sweep();
  assert.deepEqual(await stored(), before);
  await assert.rejects(backUp(context), /another backup or restore of this database is running/);
  end();
  await backup;
  await whileNoBackup(context, async () => {
    const order: string[] = [];
    const waiting = whileNothingIsDeleted(context.connection, quietWork.signal, async () => {
      order.push('backup');
    });
    const isWaiting = () =>
      withClient(context.connection, async (client) => {
        const { rows } = await client.query('select 1 from pg_locks where not granted and locktype = $1', [
          'advisory',
        ]);
        return rows.length > 0;
      });
    await eventually(isWaiting, Boolean);
    order.push('deletion');
    void waiting.then(() => assert.deepEqual(order, ['deletion', 'backup']));
  });
  await eventually(
    async () => {
      await sweep();
      return Object.keys(await stored()).length;
    },
    (count) => count === 0,
  );
});

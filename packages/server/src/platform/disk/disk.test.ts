import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext as NodeTest, test } from 'node:test';
import { freeSpace } from '@stem-studio/contract/endpoints/account';
import { deleteTrack, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { sql } from 'kysely';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createLog } from '../log.ts';
import { createDisk } from './disk.ts';
import { reserveName } from './reserve-file.ts';

const MB = 2 ** 20;

async function open(t: NodeTest) {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-disk-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const lines: string[] = [];
  const space = { freeBytes: 100 * MB, totalBytes: 1000 * MB };
  const disk = createDisk({
    config: { uploadsDir: folder, dataDir: folder, diskMarginBytes: 8 * MB, diskReserveBytes: 4 * MB },
    log: createLog('info', { write: (line) => void lines.push(line) }),
    measure: async () => ({ ...space }),
  });
  return { folder, disk, space, lines, names: () => readdir(folder) };
}

test('creates a reserve file without holes, deletes it when the disk is nearly full and creates it again later', async (t) => {
  const { folder, disk, space, lines, names } = await open(t);
  await disk.tend();
  const made = await stat(join(folder, reserveName));
  assert.equal(made.size, 4 * MB);
  assert.ok(made.blocks * 512 >= 4 * MB, 'the file has holes');
  await disk.tend();
  assert.deepEqual(await names(), [reserveName]);
  assert.deepEqual(await disk.problems(), []);

  space.freeBytes = 100_000;
  await disk.tend();
  assert.deepEqual(await names(), []);
  assert.match(lines.at(-1) ?? '', /full \(97\.7 kB are free\): gave up the reserve of 4 MB/);
  // Space freed by the reserve is for deletions.
  space.freeBytes += 4 * MB;
  assert.deepEqual(await disk.problems(), ['the disk of the audio files is full']);
  assert.equal((await disk.space()).freeBytes, 100_000);
  await disk.tend();
  assert.deepEqual(await names(), []);

  space.freeBytes = 50 * MB;
  await disk.tend();
  assert.deepEqual(await names(), [reserveName]);
  assert.equal(await disk.giveUpReserve('somebody asked'), true);
  assert.equal(await disk.giveUpReserve('somebody asked'), false);
});

test('deletes an old unfinished reserve file, and keeps one that is being written', async (t) => {
  const { folder, disk, names } = await open(t);
  for (const name of ['old', 'young']) await writeFile(join(folder, `${reserveName}.${name}`), 'half');
  await utimes(join(folder, `${reserveName}.old`), 0, 0);
  await disk.tend();
  assert.deepEqual((await names()).sort(), [reserveName, `${reserveName}.young`]);
});

test('deletes a track on a full disk after releasing the reserve, and reports the freed space', async (t) => {
  const library = await openLibrary(t, { config: { diskReserveBytes: MB } });
  const { context } = library;
  const { id } = await library.addTrack(await testWav({ seconds: 1 }));
  await context.disk.tend();
  const reserve = join(context.config.uploadsDir, reserveName);
  await stat(reserve);
  // The database has no space as long as the reserve exists.
  await sql`create table full_disk ()`.execute(context.db);
  await sql
    .raw(`create function refuse_full() returns trigger language plpgsql as $$
    begin
      if to_regclass('full_disk') is not null then
        raise exception 'could not extend file: No space left on device' using errcode = '53100';
      end if;
      return null;
    end $$;
    create trigger full_tracks before update or delete on tracks for each statement execute function refuse_full();
    create trigger full_folders before insert on folders_to_delete for each statement execute function refuse_full()`)
    .execute(context.db);
  const { disk } = context;
  const giveUp = disk.giveUpReserve.bind(disk);
  t.mock.method(context.disk, 'giveUpReserve', async (reason: string) => {
    const given = await giveUp(reason);
    if (given) await sql`drop table full_disk`.execute(context.db);
    return given;
  });
  assert.equal((await library.ask(deleteTrack, { params: { id } })).status, 204);
  await assert.rejects(stat(reserve), { code: 'ENOENT' });
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);

  await context.disk.tend();
  await sql`create table full_disk ()`.execute(context.db);
  const freed = (await library.ask(freeSpace)).body.data;
  assert.equal(freed.tracks, 1);
  assert.ok(freed.freed_bytes > 176_000);
});

test('reports a full disk without a reserve', async (t) => {
  const library = await openLibrary(t);
  const { id } = await library.addTrack(await testWav({ seconds: 1 }));
  await sql
    .raw(`create function refuse_full() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create trigger full_tracks before update on tracks for each statement execute function refuse_full()`)
    .execute(library.context.db);
  const refused = await library.ask(deleteTrack, { params: { id } });
  assert.deepEqual([refused.status, refused.error.code], [503, 'UNAVAILABLE']);
  assert.match(refused.error.error, /the disk of the database is full/);
});

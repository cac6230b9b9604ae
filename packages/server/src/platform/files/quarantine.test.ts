import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder } from '../../testing/library-steps.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { openTestContext } from '../../testing/test-context.ts';
import { createLocalFiles } from './local-files.ts';
import { purgeExpiredOrphans, quarantineOrphan } from './orphans.ts';

const now = new Date('2026-03-01T12:00:00Z');

async function open(t: TestContext) {
  const folder = await makeFolder(t);
  const files = await createLocalFiles(folder);
  const store = (path: string, text = 'audio') =>
    files.writeAtomically(path, (out) => out.append(Buffer.from(text)));
  return { folder, files, quarantine: files.quarantine, store };
}

test('moves a folder with a manifest of its original path, time and reason', async (t) => {
  const { folder, quarantine, store } = await open(t);
  await store('stems/abc/vocals.wav');
  await store('stems/abc/drums.wav', 'more audio');
  const moved = await quarantine.add('stems/abc', 'nobody names it', now);
  assert.equal(moved?.entry, '2026-03-01-abc');
  const entry = join(folder, '.quarantine', '2026-03-01-abc');
  assert.deepEqual(await readdir(join(folder, 'stems')), []);
  assert.deepEqual(await readdir(join(entry, 'content')), ['drums.wav', 'vocals.wav']);
  assert.deepEqual(JSON.parse(await readFile(join(entry, 'manifest.json'), 'utf8')), {
    version: 1,
    path: 'stems/abc',
    moved_at: now.toISOString(),
    reason: 'nobody names it',
    files: 2,
    bytes: 15,
  });
  assert.deepEqual(await quarantine.list(), [moved]);
  assert.equal(await quarantine.add('stems/abc', 'again', now), null);
});

test('restores a folder unless its original path exists', async (t) => {
  const { files, quarantine, store } = await open(t);
  await store('stems/abc/vocals.wav', 'old');
  await quarantine.add('stems/abc', 'why', now);
  await store('stems/abc/vocals.wav', 'new');
  assert.equal(await quarantine.restore('2026-03-01-abc', now), 'path taken');
  const second = await quarantine.add('stems/abc', 'why', now);
  assert.match(second?.entry ?? '', /^2026-03-01-abc-[0-9a-f]{6}$/);
  assert.equal(await quarantine.restore('2026-03-01-abc', now), 'restored');
  assert.equal((await files.stat('stems/abc/vocals.wav'))?.bytes, 3);
  assert.deepEqual(
    (await quarantine.list()).map(({ entry }) => entry),
    [second?.entry],
  );
  assert.equal(await quarantine.restore('2026-03-01-abc', now), 'missing');
});

test('hides a move that was interrupted before the rename, and lists and keeps an entry with a damaged manifest', async (t) => {
  const { folder, quarantine } = await open(t);
  await mkdir(join(folder, '.quarantine', 'empty'), { recursive: true });
  await mkdir(join(folder, '.quarantine', 'damaged', 'content'), { recursive: true });
  await writeFile(join(folder, '.quarantine', 'damaged', 'content', 'vocals.wav'), 'audio');
  await writeFile(join(folder, '.quarantine', 'damaged', 'manifest.json'), '{');
  const [only, ...rest] = await quarantine.list();
  assert.deepEqual(rest, []);
  assert.deepEqual([only?.entry, only?.path, only?.files, only?.bytes], ['damaged', null, 1, 5]);
  assert.equal(await quarantine.restore('damaged', now), 'missing');
  assert.ok(await stat(join(folder, '.quarantine', 'damaged', 'content', 'vocals.wav')));
});

test('rejects names that lead out of the quarantine', async (t) => {
  const { quarantine } = await open(t);
  for (const entry of ['..', '../stems', '', '.hidden', 'a/b'])
    assert.throws(() => void quarantine.purge(entry), /plain name/);
  await assert.rejects(quarantine.add('../outside', 'why', now), /must be relative/);
});

test('deletes entries after QUARANTINE_DAYS and logs each', async (t) => {
  const clock = createTestClock();
  const logLines: string[] = [];
  const context = await openTestContext(t, { clock, logLines, config: { quarantineDays: 2 } });
  const { files } = context;
  await files.writeAtomically('stems/abc/vocals.wav', (out) => out.append(Buffer.from('audio')));
  assert.equal(await quarantineOrphan(context, 'stems/abc'), true);
  assert.equal(await quarantineOrphan(context, 'stems/abc'), false);
  clock.advance(2 * 86_400 - 10);
  assert.equal(await purgeExpiredOrphans(context), 0);
  clock.advance(20);
  assert.equal(await purgeExpiredOrphans(context), 1);
  assert.deepEqual(await files.quarantine.list(), []);
  assert.equal(logLines.filter((line) => line.includes('its retention period has ended')).length, 1);
});

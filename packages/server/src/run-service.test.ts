import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './testing/library-steps.ts';
import { databaseUrlOf, startServiceProcess } from './testing/service-process.ts';
import { openTestContext, type TestContext as StudioContext } from './testing/test-context.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));

/** Starts the service, which is expected to exit by itself. Returns its exit code and output. */
async function startInVain(t: TestContext, context: StudioContext, role: string) {
  const child = spawn(process.execPath, [main, ...(role === '' ? [] : [role])], {
    cwd: context.folder,
    env: { PATH: process.env['PATH'], PORT: '0', DATABASE_URL: databaseUrlOf(context.connection) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  t.after(() => child.kill('SIGKILL'));
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { out, err, code };
}

test('with an empty database and a folder of audio, no service or worker starts, and every file is kept', async (t) => {
  const context = await openTestContext(t);
  const { files, config } = context;
  for (const n of [1, 2, 3]) {
    const folder = `downloads/00000000-0000-7000-8000-00000000000${n}`;
    for (const name of ['received', 'high.mp3'])
      await files.writeAtomically(`${folder}/${name}`, (out) => out.append(Buffer.from('audio')));
    // Older than the grace period of a sweep.
    await utimes(join(config.uploadsDir, folder), new Date(0), new Date(0));
  }
  const before = await filesBelow(config.uploadsDir);
  for (const role of ['', 'worker']) {
    const { code, err, out } = await startInVain(t, context, role);
    assert.deepEqual([code, out], [1, '']);
    assert.match(
      err,
      /holds audio, but the database is empty \(.*3 folders of audio\)\.\nNothing was changed or deleted/,
    );
    assert.doesNotMatch(err, /\n +at /);
  }
  assert.deepEqual(await filesBelow(config.uploadsDir), before);
});

test('stored files and folders are not accessible to other system accounts', async (t) => {
  const context = await openTestContext(t);
  const service = await startServiceProcess(context, '');
  assert.equal((await fetch(`${service.address}/health`)).status, 200);
  await service.stop();
  const { dataDir, uploadsDir } = context.config;
  for (const folder of [dataDir, uploadsDir]) {
    const names = await readdir(folder);
    assert.ok(names.length > 0);
    for (const name of names) {
      const { mode } = await stat(join(folder, name));
      assert.equal(mode & 0o027, 0, `${name} has the mode ${(mode & 0o777).toString(8)}`);
    }
  }
});

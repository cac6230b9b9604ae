import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openSecrets } from '../platform/crypto/secrets.ts';
import { openDatabase } from '../platform/db/database.ts';
import { createLog } from '../platform/log.ts';
import {
  backupEmail,
  backupPassword,
  createEmptyDatabase,
  everyRow,
  fillLibraryForBackup,
  withClient,
} from '../testing/backup-steps.ts';
import { eventually } from '../testing/eventually.ts';
import { makeFolder, openLibrary } from '../testing/library-steps.ts';
import { runStudio, startStudio } from '../testing/run-studio.ts';
import { openSealedRows } from '../testing/sealed-rows.ts';
import { databaseUrlOf, startServiceProcess } from '../testing/service-process.ts';
import { openSmallLibrary } from '../testing/small-library.ts';
import type { TestContext } from '../testing/test-context.ts';

function envOf({ connection, config }: TestContext): Record<string, string> {
  return { DATABASE_URL: databaseUrlOf(connection), DATA_DIR: config.dataDir, LOG_LEVEL: 'error' };
}

/** Submits the login form of a service and returns the status and the cookies. */
async function logIn(address: string, email: string, password: string) {
  const page = await fetch(`${address}/users/log-in`);
  const cookies = page.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  const [, csrf = ''] = /name="_csrf_token" value="([^"]*)"/.exec(await page.text()) ?? [];
  const reply = await fetch(`${address}/users/log-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: cookies.join('; '), origin: address },
    body: new URLSearchParams({ _csrf_token: csrf, 'user[email]': email, 'user[password]': password }),
  });
  await reply.arrayBuffer();
  const cookie = reply.headers.getSetCookie().map((line) => line.split(';')[0] ?? '');
  return { status: reply.status, headers: { cookie: cookie.join('; ') } };
}

test('a restored service accepts logins, plays stems, decrypts secrets and resumes jobs', async (t) => {
  const library = await openLibrary(t);
  const { context, user } = library;
  const { waitingJob } = await fillLibraryForBackup(library);
  // The service runs while the backup is made.
  await startServiceProcess(context, 'serve');
  const to = join(context.folder, 'elsewhere');
  const made = await runStudio(context.folder, ['backup', '--to', to, '--include-key'], envOf(context));
  assert.equal(made.code, 0, made.err);
  const folder = made.out.trim();
  assert.match(made.err, /full: \d+ rows, \d+ files \(.*\), key file\n/);
  const verified = await runStudio(context.folder, ['backup', 'verify', folder], envOf(context));
  assert.match(verified.out, /^complete and undamaged: full/, verified.err);
  const listed = await runStudio(context.folder, ['backup', 'list', '--to', to], envOf(context));
  assert.match(listed.out, /^\d{4}-\d\d-\d\dT[\d-]+Z {2}full: /);

  const connection = await createEmptyDatabase(t);
  const dataDir = join(context.folder, 'restored');
  const env = { ...envOf(context), DATABASE_URL: databaseUrlOf(connection), DATA_DIR: dataDir };
  const restored = await runStudio(context.folder, ['restore', folder], env);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, /database: \d+ rows in \d+ tables\nfiles: \d+ \(.*\) in .*restored\/uploads\n/);
  assert.match(restored.out, /key file: restored to/);
  assert.equal((await stat(join(dataDir, 'secret.key'))).mode & 0o777, 0o600);
  assert.deepEqual(await everyRow(connection), await everyRow(context.connection));

  const config = { ...context.config, dataDir, uploadsDir: join(dataDir, 'uploads') };
  const there: TestContext = { ...context, connection, config };
  const service = await startServiceProcess(there, '');
  const owner = await logIn(service.address, backupEmail, backupPassword);
  assert.equal(owner.status, 303);
  assert.notEqual((await logIn(service.address, backupEmail, 'another password')).status, 303);
  const database = openDatabase({ connection, log: createLog('silent'), maxConnections: 2 });
  t.after(() => database.close());
  const stems = await database.db
    .selectFrom('stems')
    .innerJoin('tracks', 'tracks.id', 'stems.track_id')
    .where('tracks.user_id', '=', user.id)
    .select('stems.file_path')
    .execute();
  assert.ok(stems.length >= 4);
  for (const { file_path } of stems.slice(0, 4)) {
    const reply = await fetch(`${service.address}/files/${file_path}`, { headers: owner.headers });
    assert.equal(reply.status, 200);
    const original = await readFile(join(context.config.uploadsDir, file_path));
    assert.ok(Buffer.from(await reply.arrayBuffer()).equals(original), file_path);
  }
  const secrets = await openSecrets({ ...config, secretKey: null });
  const opened = await openSealedRows({ ...there, db: database.db, secrets });
  assert.deepEqual(opened.toSorted(), ['token 0', 'token 1', 'token 2']);
  await eventually(
    () => database.db.selectFrom('jobs').select('status').where('id', '=', waitingJob).executeTakeFirst(),
    (job) => job?.status === 'completed',
  );
});

test('backs up and restores the built-in database in the data directory', async (t) => {
  const folder = await makeFolder(t);
  const env = { DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'error' };
  const nothing = await runStudio(folder, ['backup'], env);
  assert.equal(nothing.code, 1);
  assert.match(nothing.err, /there is no database in .*data: set DATA_DIR/);
  await assert.rejects(stat(join(folder, 'data')), /ENOENT/);
  await runStudio(
    folder,
    ['user', 'add', 'one@example.org', '--password-stdin'],
    env,
    'gravel ocean tuesday\n',
  );
  const made = await runStudio(folder, ['backup', '--keep', '1'], env);
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /The key is not part of it: store .*secret\.key elsewhere/);
  const second = await runStudio(folder, ['backup', '--keep', '1'], env);
  assert.equal(second.code, 0, second.err);
  assert.equal((await readdir(join(folder, 'data', 'backups'))).length, 1);
  const moved = join(folder, 'moved');
  await cp(second.out.trim(), moved, { recursive: true });
  const fresh = { ...env, DATA_DIR: join(folder, 'fresh') };
  const damaged = join(folder, 'damaged');
  await cp(moved, damaged, { recursive: true });
  await appendFile(join(damaged, 'database', 'users.copy.gz'), 'x');
  const refused = await runStudio(folder, ['restore', damaged], fresh);
  assert.equal(refused.code, 1);
  assert.match(
    refused.err,
    /^database\/users\.copy\.gz has \d+ bytes, and it was written with \d+: it is damaged\n$/m,
  );
  await assert.rejects(stat(join(folder, 'fresh')), /ENOENT/);
  const restored = await runStudio(folder, ['restore', moved], fresh);
  assert.equal(restored.code, 0, restored.err);
  assert.match(
    restored.out,
    /key file: not part of this backup\. Before you start the service, copy the secret\.key/,
  );
  const twice = await runStudio(folder, ['restore', moved], fresh);
  assert.equal(twice.code, 1);
  assert.match(
    twice.err,
    /the database is not empty \(it has \w+ and \d+ more tables\): a restore needs an empty one/,
  );
});

test('Ctrl-C leaves no partial backup and no partial restore', async (t) => {
  const context = await openSmallLibrary(t);
  const { uploadsDir } = context.config;
  for (let n = 0; n < 8; n++) {
    await mkdir(join(uploadsDir, 'stems', `${n}`), { recursive: true });
    await context.files.writeAtomically(`stems/${n}/large.wav`, (out) =>
      out.append(Buffer.alloc(16_000_000, n)),
    );
  }
  const root = join(context.config.dataDir, 'backups');
  const interrupt = async (args: string[], env: Record<string, string>, stage: RegExp) => {
    const child = startStudio(context.folder, args, env);
    let err = '';
    let isInterrupted = false;
    child.stderr.on('data', (piece: Buffer) => {
      err += piece.toString();
      if (!stage.test(err) || isInterrupted) return;
      isInterrupted = true;
      child.kill('SIGINT');
    });
    const ended = once(child, 'close') as Promise<[number | null]>;
    await text(child.stdout);
    const [code] = await ended;
    assert.equal(code, 130, err);
    assert.match(err, /interrupted\n$/);
  };
  await interrupt(['backup'], envOf(context), /\d0 % files/);
  assert.deepEqual(await readdir(root), []);
  const made = await runStudio(context.folder, ['backup'], envOf(context));
  assert.equal(made.code, 0, made.err);
  const connection = await createEmptyDatabase(t);
  const dataDir = join(context.folder, 'restored');
  const env = { ...envOf(context), DATABASE_URL: databaseUrlOf(connection), DATA_DIR: dataDir };
  await interrupt(['restore', made.out.trim()], env, /\d0 % files/);
  assert.deepEqual(await readdir(join(dataDir, 'uploads')), []);
  assert.deepEqual(await everyRow(connection), {});
  const restored = await runStudio(context.folder, ['restore', made.out.trim()], env);
  assert.equal(restored.code, 0, restored.err);
  const isReached = await withClient(connection, (client) => client.query('select count(*) from tracks'));
  assert.deepEqual(isReached.rows, [{ count: 3 }]);
});

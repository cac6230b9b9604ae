import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { createEmptyDatabase, everyRow, quietWork } from '../../testing/backup-steps.ts';
import { filesBelow } from '../../testing/library-steps.ts';
import { backUp, copyBackup, restoreElsewhere } from '../../testing/restore-steps.ts';
import { openSmallLibrary } from '../../testing/small-library.ts';
import { systemClock } from '../clock.ts';
import { BackupError } from './backup-error.ts';
import { type Manifest, parseFileLine, parseManifest } from './manifest.ts';
import { readCompressed } from './read-dump.ts';
import { verifyBackup } from './verify-backup.ts';

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Changes the manifest of a backup and its hash, like an attacker. */
async function rewriteManifest(folder: string, change: (manifest: Manifest) => unknown): Promise<void> {
  const path = join(folder, 'manifest.json');
  const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
  const text = JSON.stringify(change(manifest) ?? manifest);
  await writeFile(path, text);
  await writeFile(`${path}.sha256`, `${sha256(text)}  manifest.json\n`);
}

async function rewriteFileList(folder: string, change: (lines: string[]) => string[]): Promise<void> {
  const path = join(folder, 'files.ndjson');
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const text = `${change(lines).join('\n')}\n`;
  await writeFile(path, text);
  await rewriteManifest(folder, ({ files }) => {
    Object.assign(files?.list ?? {}, { sha256: sha256(text) });
  });
}

test('detects a flipped byte, a truncated and a missing file in every part, and names it', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const parts = await filesBelow(made.folder);
  assert.ok(parts.length > 30);
  const folder = await copyBackup(context, made, 'damaged');
  const verify = () => verifyBackup(folder, systemClock, quietWork);
  await verify();
  for (const [index, part] of parts.entries()) {
    const path = join(folder, part);
    const whole = await readFile(path);
    const named = new RegExp(
      part.replaceAll(/[.\\+]/g, '\\$&').replace('manifest\\.json\\.sha256', 'manifest\\.json'),
    );
    const flipped = Buffer.from(whole);
    const at = Math.floor(whole.length / 2);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    await writeFile(path, flipped);
    await assert.rejects(
      verify(),
      (error) => error instanceof BackupError && named.test(error.message),
      part,
    );
    await writeFile(path, whole);
    if (index % 2 === 0) await truncate(path, whole.length - 1);
    else await rm(path);
    await assert.rejects(
      verify(),
      (error) => error instanceof BackupError && named.test(error.message),
      part,
    );
    await writeFile(path, whole);
  }
  await writeFile(join(folder, 'files', 'extra'), 'x');
  assert.deepEqual((await verify()).unknown, ['files/extra']);
});

test('rejects a malicious backup before anything is written', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const connection = await createEmptyDatabase(t);
  const refuses = async (name: string, harm: (folder: string) => Promise<void>, reason: RegExp) => {
    const folder = await copyBackup(context, made, name);
    await harm(folder);
    await assert.rejects(restoreElsewhere(t, context, folder, { connection, name: 'harm' }), reason);
  };
  const setVersion = (folder: string) => rewriteManifest(folder, (manifest) => ({ ...manifest, version: 2 }));
  await refuses('newer', setVersion, /manifest\.json has version 2, and this service reads up to 1/);
  const withPath = (path: string) => (folder: string) =>
    rewriteFileList(folder, ([first = '', ...rest]) => [
      JSON.stringify({ ...(JSON.parse(first) as object), path }),
      ...rest,
    ]);
  for (const [at, path] of [
    'uploads/../../out',
    '/etc/passwd',
    'uploads//x',
    'other/x',
    'uploads/a\\..\\b',
  ].entries())
    await refuses(`outside-${at}`, withPath(path), /files\.ndjson line 1 is damaged \(path: must/);
  const leadOut = async (folder: string) => {
    const [first = ''] = await filesBelow(join(folder, 'files'));
    const path = join(folder, 'files', first);
    const bytes = await readFile(path);
    const outside = join(context.folder, 'outside');
    await writeFile(outside, bytes);
    await rm(path);
    await symlink(outside, path);
  };
  await refuses('link', leadOut, /files\/uploads\/.* is not a file/);
  const leadOutByFolder = async (folder: string) => {
    const [first = ''] = await filesBelow(join(folder, 'files'));
    const parent = dirname(join(folder, 'files', first));
    await rm(parent, { recursive: true });
    await symlink(dirname(join(made.folder, 'files', first)), parent);
  };
  await refuses('folder-link', leadOutByFolder, /leads outside of the backup/);
  const otherTable = (folder: string) =>
    rewriteManifest(folder, ({ database }) => {
      for (const table of database.tables)
        if (table.name === 'jobs') Object.assign(table, { columns: ['id'] });
    });
  await refuses('columns', otherTable, /database\/jobs\.copy\.gz/);
  const unknown = (folder: string) =>
    rewriteManifest(folder, ({ database }) => {
      database.migrations.push({ name: '9999-later.sql', checksum: '0'.repeat(64) });
    });
  await refuses('later', unknown, /9999-later\.sql, which this version does not know: it is newer/);
  assert.deepEqual(await everyRow(connection), {});
  assert.deepEqual(await filesBelow(join(context.folder, 'harm')), []);
});

test('names a dump that the database rejects, and undoes the restore', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const connection = await createEmptyDatabase(t);
  const spoil = async (name: string, table: string, change: (text: string) => string) => {
    const folder = await copyBackup(context, made, name);
    const path = join(folder, 'database', `${table}.copy.gz`);
    const { gunzipSync } = await import('node:zlib');
    const bytes = gzipSync(change(gunzipSync(await readFile(path)).toString()));
    await writeFile(path, bytes);
    await rewriteManifest(folder, ({ database }) => {
      const entry = database.tables.find((one) => one.name === table);
      Object.assign(entry ?? {}, { bytes: bytes.length, sha256: sha256(bytes) });
    });
    return restoreElsewhere(t, context, folder, { connection, name: 'spoilt' });
  };
  await assert.rejects(
    spoil('value', 'tracks', (text) => text.replace('upload', 'magic')),
    /database\/tracks\.copy\.gz cannot be loaded: .*violates check constraint/,
  );
  await assert.rejects(
    spoil('key', 'users', (text) => text.replace(/^\d+/, '999')),
    /breaks the rule \w+: .*violates foreign key/,
  );
  assert.deepEqual(await everyRow(connection), {});
  assert.deepEqual(await filesBelow(join(context.folder, 'spoilt')), []);
});

test('keeps the quarantine of the uploads folder after a failed restore', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const folder = await copyBackup(context, made, 'newer-values');
  const path = join(folder, 'database', 'users.copy.gz');
  const { gunzipSync } = await import('node:zlib');
  const bytes = gzipSync(
    gunzipSync(await readFile(path))
      .toString()
      .replace(/^\d+/, '999'),
  );
  await writeFile(path, bytes);
  await rewriteManifest(folder, ({ database }) => {
    const entry = database.tables.find(({ name }) => name === 'users');
    Object.assign(entry ?? {}, { bytes: bytes.length, sha256: sha256(bytes) });
  });
  const uploads = join(context.folder, 'kept', 'uploads');
  const orphan = '.quarantine/2026-01-01-x/content/received';
  await mkdir(dirname(join(uploads, orphan)), { recursive: true });
  await writeFile(join(uploads, orphan), 'audio');
  const connection = await createEmptyDatabase(t);
  await assert.rejects(restoreElsewhere(t, context, folder, { connection, name: 'kept' }), /breaks the rule/);
  assert.deepEqual(await filesBelow(uploads), [orphan]);
});

test('parses or rejects any text as manifest or file list with a BackupError', async (t) => {
  const context = await openSmallLibrary(t);
  const made = await backUp(context);
  const text = await readFile(join(made.folder, 'manifest.json'), 'utf8');
  const [line = ''] = (await readFile(join(made.folder, 'files.ndjson'), 'utf8')).split('\n');
  const isSentence = (read: () => unknown) => {
    try {
      read();
      return true;
    } catch (error) {
      return error instanceof BackupError;
    }
  };
  const mutated = (whole: string) =>
    fc
      .tuple(fc.nat(whole.length), fc.nat(40), fc.oneof(fc.string(), fc.json()))
      .map(([at, cut, put]) => whole.slice(0, at) + put + whole.slice(at + cut));
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), mutated(text)), (one) =>
      isSentence(() => parseManifest(one)),
    ),
    { numRuns: 3000 },
  );
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string(), mutated(line)), (one) =>
      isSentence(() => {
        const { path } = parseFileLine(one, 1);
        assert.doesNotMatch(path, /(^|\/)\.\.?(\/|$)|^\/|\\|\0/);
      }),
    ),
    { numRuns: 3000 },
  );
});

test('reads or rejects any bytes as a dump with a BackupError', async () => {
  const table = { name: 'jobs', columns: ['a', 'b'], rows: 2 };
  const drain = async (rows: AsyncIterable<Buffer>) => {
    for await (const piece of rows) void piece;
  };
  const read = (bytes: Uint8Array) =>
    readCompressed(Readable.from([Buffer.from(bytes)]), table, drain, quietWork.signal);
  const good = Buffer.from('1\tx\n2\t\\N\n');
  await read(gzipSync(good));
  for (const [text, reason] of [
    ['1\tx\n', /it has 1 rows, and the manifest says 2/],
    ['1\tx\n2\ty', /its last row is cut off/],
    ['1\tx\n2\n', /row 2 has 1 columns instead of 2/],
  ] as const)
    await assert.rejects(read(gzipSync(text)), reason);
  const whole = gzipSync(good);
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.uint8Array({ maxLength: 200 }),
        fc.uint8Array({ maxLength: 200 }).map((bytes) => gzipSync(bytes)),
        fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, value]) => {
          const changed = Buffer.from(whole);
          changed[at] = value;
          return changed;
        }),
      ),
      async (bytes) => {
        await read(bytes).catch((error: unknown) => assert.ok(error instanceof BackupError, String(error)));
      },
    ),
    { numRuns: 500 },
  );
});

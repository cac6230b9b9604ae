import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { pause } from '../clock.ts';
import { checkRelativePath, createLocalFiles, formerStagingName } from './local-files.ts';

async function open(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-files-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return { folder, files: await createLocalFiles(folder) };
}

const bytes = (text: string) => Buffer.from(text);

async function textOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all).toString();
}

test('publishes a file only when it is complete, with its header patched', async (t) => {
  const { files } = await open(t);
  const written = await files.writeAtomically('a/b/song.wav', async (out) => {
    await out.append(bytes('....'));
    await out.append(bytes('body'));
    await out.patch(0, bytes('head'));
    assert.equal(await files.stat('a/b/song.wav'), null);
  });
  assert.equal(written.bytes, 8);
  assert.equal(await textOf(files.read('a/b/song.wav')), 'headbody');
  assert.equal(await textOf(files.read('a/b/song.wav', { start: 2, end: 5 })), 'adbo');
  assert.equal((await files.stat('a/b/song.wav'))?.bytes, 8);
});

test('leaves nothing when writing fails, and keeps an existing file', async (t) => {
  const { files, folder } = await open(t);
  await files.writeAtomically('x', (out) => out.append(bytes('old')));
  const failing = files.writeAtomically('x', async (out) => {
    await out.append(bytes('new'));
    throw new Error('the disk is full');
  });
  await assert.rejects(failing, /disk is full/);
  await assert.rejects(
    files.writeAtomically('y', (out) => out.patch(0, bytes('a'))),
    RangeError,
  );
  assert.equal(await textOf(files.read('x')), 'old');
  assert.deepEqual(await readdir(join(folder, '.staging')), []);
  assert.equal(await files.stat('y'), null);
});

test('rejects paths that are invalid or lead outside by dots or links', async (t) => {
  const { files, folder } = await open(t);
  for (const path of [
    '',
    '.',
    '..',
    '../x',
    'a/../b',
    '/etc/passwd',
    'a//b',
    'a\0b',
    'a\\b',
    'C:/x',
    '.staging/x',
    'x/',
  ])
    assert.throws(() => checkRelativePath(path), /must be relative/, JSON.stringify(path));
  await symlink('/etc', join(folder, 'link'));
  await symlink('/etc/passwd', join(folder, 'file'));
  assert.throws(() => files.read('link/passwd'), /lead outside/);
  await assert.rejects(files.stat('file'), /lead outside/);
  await assert.rejects(files.removeFolder('link'), /lead outside/);
});

test('publishes files from a staging folder and removes the rest with it', async (t) => {
  const { files, folder } = await open(t);
  const staging = await files.createStagingFolder();
  await writeFile(join(staging.path, 'vocals.wav'), 'v');
  await writeFile(join(staging.path, 'drums.wav'), 'd');
  await writeFile(join(staging.path, 'log.txt'), 'x');
  assert.deepEqual(await staging.publish('log.txt', 'logs/one.txt'), { bytes: 1 });
  assert.deepEqual((await staging.publishFolder('stems/1')).sort(), [
    'stems/1/drums.wav',
    'stems/1/vocals.wav',
  ]);
  assert.equal(await readFile(files.absolute('stems/1/drums.wav'), 'utf8'), 'd');
  await writeFile(join(staging.path, 'half.wav'), 'h');
  await staging.remove();
  await staging.remove();
  assert.deepEqual(await readdir(join(folder, '.staging')), []);
  assert.deepEqual(
    (await files.listFolders('stems')).map(({ name }) => name),
    ['1'],
  );
  assert.deepEqual(await files.listFolders('nowhere'), []);
});

test('removes old staging files of crashed writers and keeps recent ones', async (t) => {
  const { files, folder } = await open(t);
  await mkdir(join(folder, '.staging', 'left'));
  await writeFile(join(folder, '.staging', 'left', 'half.wav'), 'x');
  assert.equal(await files.sweep(3600), 0);
  assert.equal(await files.sweep(-1), 1);
  assert.deepEqual(await readdir(join(folder, '.staging')), []);
});

test('removes what an earlier version left in its staging folder, and the empty folder', async (t) => {
  const { files, folder } = await open(t);
  await mkdir(join(folder, formerStagingName, 'left'), { recursive: true });
  await writeFile(join(folder, formerStagingName, 'half.wav'), 'x');
  assert.equal(await files.sweep(3600), 0);
  assert.deepEqual((await readdir(folder)).sort(), [formerStagingName, '.staging'].sort());
  assert.equal(await files.sweep(-1), 2);
  assert.deepEqual(await readdir(folder), ['.staging']);
});

test('removes staging files of dead processes of this machine at once, and keeps those of living ones', async (t) => {
  const { files, folder } = await open(t);
  const mine = await files.createStagingFolder();
  const [name = ''] = await readdir(join(folder, '.staging'));
  const [machine] = name.split('.');
  const dead = spawnSync(process.execPath, ['--version']).pid;
  await writeFile(join(folder, '.staging', `${machine}.${dead}.half`), 'x');
  await writeFile(join(folder, '.staging', `elsewhere.${dead}.half`), 'x');
  assert.equal(await files.sweep(3600), 1);
  assert.deepEqual((await readdir(join(folder, '.staging'))).sort(), [name, `elsewhere.${dead}.half`].sort());
  await mine.remove();
});

test('handles missing files: removing and stat succeed, reading fails', async (t) => {
  const { files } = await open(t);
  await files.remove('nothing');
  await files.removeFolder('nothing');
  assert.equal(await files.stat('nothing'), null);
  await assert.rejects(textOf(files.read('nothing')), { code: 'ENOENT' });
});

test('leaves no file open when a reader stops before or after its first byte', async (t) => {
  const { files } = await open(t);
  await files.writeAtomically('a/b.bin', (out) => out.append(Buffer.alloc(300_000)));
  const opened = t.mock.method(fs, 'open');
  const closed = t.mock.method(fs, 'close');
  for (const takes of [0, 1]) {
    const reader = Readable.from(files.read('a/b.bin'));
    if (takes > 0) await once(reader, 'data');
    reader.destroy();
    await once(reader, 'close');
    while (closed.mock.callCount() < opened.mock.callCount()) await pause(5);
    assert.equal(opened.mock.callCount(), takes);
  }
});

test('creates files with mode 0640 and folders with 0750, regardless of the program and the umask', async (t) => {
  const umask = process.umask(0);
  t.after(() => process.umask(umask));
  const { folder, files } = await open(t);
  await files.writeAtomically('a/b/written', (out) => out.append(bytes('x')));
  const staging = await files.createStagingFolder();
  await writeFile(join(staging.path, 'published'), 'x', { mode: 0o666 });
  await staging.publish('published', 'a/b/published');
  const modeOf = async (path: string) => (await stat(join(folder, path))).mode & 0o777;
  assert.deepEqual(await Promise.all(['a/b/written', 'a/b/published'].map(modeOf)), [0o640, 0o640]);
  assert.deepEqual(await Promise.all(['a', 'a/b', '.staging'].map(modeOf)), [0o750, 0o750, 0o750]);
  assert.equal((await stat(staging.path)).mode & 0o777, 0o750);
  await staging.remove();
});

test('rejects reserved names as stored paths', () => {
  for (const path of ['.staging/x', '.quarantine/x/content/y', '.Quarantine/x', 'stem-studio-storage.json'])
    assert.throws(() => checkRelativePath(path), /must be relative/, path);
});

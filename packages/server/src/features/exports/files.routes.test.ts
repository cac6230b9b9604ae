import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import type { LightMyRequestResponse } from 'fastify';
import { claimStorage } from '../../platform/files/storage-identity.ts';
import { createKeyIn, registeredBrowser } from '../../testing/account-steps.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import type { TestLifetime } from '../../testing/test-context.ts';

async function openFiles(t: TestLifetime) {
  const library = await openLibrary(t);
  const browser = await registeredBrowser(library.app, 'owner@example.org');
  const { key } = await createKeyIn(browser, 'test');
  const owner = { headers: { authorization: `Bearer ${key}` } };
  const track = await library.addTrack(await testWav(), 'song.wav', owner);
  const path = track.audio?.file_path ?? '';
  const bytes = await readFile(library.context.files.absolute(path));
  const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    browser.request({ method, url, headers });
  return { library, browser, owner, track, path, bytes, get, url: `/files/${path}` };
}

function pick(reply: LightMyRequestResponse, ...names: string[]): unknown[] {
  return [reply.statusCode, ...names.map((name) => reply.headers[name])];
}

test('a file is served with type, length and entity tag to its owner only', async (t) => {
  const { get, url, bytes, track } = await openFiles(t);
  const whole = await get(url);
  assert.deepEqual(pick(whole, 'content-type', 'content-length', 'accept-ranges'), [
    200,
    'audio/mpeg',
    String(bytes.length),
    'bytes',
  ]);
  assert.match(String(whole.headers['cache-control']), /^private/);
  assert.ok(whole.rawPayload.equals(bytes));
  assert.ok('x-ratelimit-limit' in whole.headers);
  const peaks = await get(`/files/${track.audio?.peaks_path}`);
  assert.deepEqual(pick(peaks, 'content-type'), [200, 'application/octet-stream']);
});

test('an id in capitals is equivalent', async (t) => {
  const { get, path, bytes } = await openFiles(t);
  const [topFolder, id, name] = path.split('/');
  const reply = await get(`/files/${topFolder}/${id?.toUpperCase()}/${name}`);
  assert.equal(reply.statusCode, 200);
  assert.ok(reply.rawPayload.equals(bytes));
  assert.equal((await get(`/files/${topFolder?.toUpperCase()}/${id}/${name}`)).statusCode, 404);
});

test('HEAD returns the same headers and no body', async (t) => {
  const { get, url } = await openFiles(t);
  const whole = await get(url);
  const head = await get(url, {}, 'HEAD');
  const names = ['content-type', 'content-length', 'etag', 'accept-ranges', 'cache-control'];
  assert.deepEqual(pick(head, ...names), pick(whole, ...names));
  assert.equal(head.rawPayload.length, 0);
});

test('a range is answered with 206 and exactly those bytes, one outside the file with 416 and its size', async (t) => {
  const { get, url, bytes } = await openFiles(t);
  const size = bytes.length;
  const ranges: readonly [string, number, number][] = [
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-10', size - 10, size - 1],
    [`bytes=5-${size * 2}`, 5, size - 1],
  ];
  for (const [range, start, end] of ranges) {
    const part = await get(url, { range });
    assert.deepEqual(pick(part, 'content-range', 'content-length'), [
      206,
      `bytes ${start}-${end}/${size}`,
      String(end - start + 1),
    ]);
    assert.ok(part.rawPayload.equals(bytes.subarray(start, end + 1)), range);
  }
  const outside = await get(url, { range: `bytes=${size}-` });
  assert.deepEqual(pick(outside, 'content-range'), [416, `bytes */${size}`]);
  assert.equal((await get(url, { range: 'lines=1-2' })).statusCode, 200);
});

test('a known entity tag is answered with 304; If-Range sends the part only while the file is unchanged', async (t) => {
  const { get, url, bytes } = await openFiles(t);
  const etag = String((await get(url)).headers['etag']);
  const known: readonly string[] = [etag, `W/${etag}`, `"other", ${etag}`, '*'];
  for (const value of known) {
    const reply = await get(url, { 'if-none-match': value });
    assert.deepEqual(pick(reply, 'etag'), [304, etag], value);
    assert.equal(reply.rawPayload.length, 0);
  }
  assert.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200);
  assert.equal((await get(url, { range: 'bytes=0-1', 'if-range': etag })).statusCode, 206);
  const changed = await get(url, { range: 'bytes=0-1', 'if-range': '"other"' });
  assert.deepEqual(pick(changed, 'content-length'), [200, String(bytes.length)]);
});

test('files require a login and are not served to a bearer token', async (t) => {
  const { library, owner, url } = await openFiles(t);
  const { headers } = owner;
  assert.equal((await library.app.inject({ method: 'GET', url, headers })).statusCode, 401);
  assert.equal((await library.app.inject({ method: 'GET', url })).statusCode, 401);
});

test("another user's file is 404, an admin may read it, and a deleted track has none", async (t) => {
  const { library, owner, track, url, get } = await openFiles(t);
  const other = await registeredBrowser(library.app, 'other@example.org');
  assert.equal((await other.get(url)).statusCode, 404);
  const admins = library.context.db.updateTable('users').set({ role: 'admin' });
  await admins.where('email', '=', 'other@example.org').execute();
  assert.equal((await other.get(url)).statusCode, 200);
  await library.ask(deleteTrack, { params: { id: track.id } }, owner);
  assert.equal((await get(url)).statusCode, 404);
});

test('any path outside the uploads directory is 404, in every encoding and by links', async (t) => {
  const { library, get, path } = await openFiles(t);
  const outside = join(library.context.folder, 'secret.wav');
  await writeFile(outside, 'treasure');
  const folder = dirname(path);
  await symlink(outside, library.context.files.absolute(`${folder}/linked.wav`));
  const up = ['..', '%2e%2e', '%2E.', '..%2f..', '..%5c..', '..%c0%af..'];
  const urls = [
    `/files/${folder}/linked.wav`,
    ...up.map((step) => `/files/${folder}/${step}/${step}/${step}/secret.wav`),
    ...up.map((step) => `/files/${step}/secret.wav`),
    `/files//${outside}`,
    `/files/${encodeURIComponent(outside)}`,
    `/files/${folder}/high.mp3%00`,
    `/files/${folder}/missing.mp3`,
    `/files/${folder}`,
    `/files/${folder}/`,
    '/files/',
    '/files/.staging/x',
    `/files/${folder}/../../.staging/x`,
    `/files/downloads/00000000-0000-7000-8000-000000000000/high.mp3`,
  ];
  for (const url of urls) {
    const reply = await get(url);
    assert.ok([400, 404].includes(reply.statusCode), `${reply.statusCode} for ${url}`);
    assert.equal(reply.statusCode === 400, /%c0/.test(url), `${reply.statusCode} for ${url}`);
    assert.ok(!reply.payload.includes('treasure'));
  }
});

test('a folder linked from outside is 404 for admins too', async (t) => {
  const { library, browser, get } = await openFiles(t);
  const id = '00000000-0000-7000-8000-000000000000';
  const outside = join(library.context.folder, 'elsewhere');
  await mkdir(outside);
  await writeFile(join(outside, 'high.mp3'), 'treasure');
  await symlink(outside, library.context.files.absolute(`downloads/${id}`));
  await library.context.db.updateTable('users').set({ role: 'admin' }).execute();
  assert.ok(browser.cookies.size > 0);
  assert.equal((await get(`/files/downloads/${id}/high.mp3`)).statusCode, 404);
});

test('neither the quarantine nor the storage marker is served, even to an admin', async (t) => {
  const { library, get } = await openFiles(t);
  const { context } = library;
  const id = '00000000-0000-7000-8000-000000000000';
  await context.files.writeAtomically(`stems/${id}/vocals.wav`, (out) => out.append(new Uint8Array(4)));
  const kept = await context.files.quarantine.add(`stems/${id}`, 'nobody names it', context.clock.now());
  const { connection, config, log } = context;
  await claimStorage({ connection, settings: config, databaseFolder: null, log });
  await context.db.updateTable('users').set({ role: 'platform_admin' }).execute();
  for (const path of [
    `.quarantine/${kept?.entry}/content/vocals.wav`,
    `.quarantine/${kept?.entry}/manifest.json`,
    `stems/../.quarantine/${kept?.entry}/content/vocals.wav`,
    `stems/%2e%2e%2f.quarantine/${kept?.entry}/manifest.json`,
    `stems/${id}/vocals.wav`,
    'stem-studio-storage.json',
    'stems/../stem-studio-storage.json',
  ])
    assert.equal((await get(`/files/${path}`)).statusCode, 404, path);
});

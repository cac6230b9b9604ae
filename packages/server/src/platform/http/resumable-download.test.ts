import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type FileHost, sendsAndBreaks, sendsAndHangs, startFileHost } from '../../testing/file-host.ts';
import { makeFolder } from '../../testing/library-steps.ts';
import { DownloadError, downloadRefusal, requestDownload } from './download-request.ts';
import { type Download, downloadFile } from './resumable-download.ts';

const content = randomBytes(3_000_000);
const sha256 = createHash('sha256').update(content).digest('hex');
const path = '/files.example.org/models/one.bin';

/** Starts a host with one file, and returns a function that downloads it. */
async function prepare(t: TestContext, changes: Partial<Download> = {}) {
  const host = await startFileHost(t);
  host.files.set(path, { bytes: content, etag: '"1"' });
  const folder = await makeFolder(t);
  const file = join(folder, 'one.bin');
  const progress: (readonly [number, number | null])[] = [];
  const download = (more: Partial<Download> = {}) =>
    downloadFile({
      url: 'https://files.example.org/models/one.bin',
      path: file,
      bytes: content.length,
      maxBytes: content.length,
      sha256,
      hosts: { mirrorUrl: host.url, redirectHosts: [] },
      idleMs: 60_000,
      retryMs: 1,
      signal: new AbortController().signal,
      onProgress: (...now) => void progress.push(now),
      ...changes,
      ...more,
    });
  return { host, file, folder, progress, download };
}

/** Starts a download that is aborted when at least `count` bytes have arrived. */
async function abortAfter(
  download: (more: Partial<Download>) => Promise<void>,
  count: number,
): Promise<void> {
  const stop = new AbortController();
  await assert.rejects(
    download({
      signal: stop.signal,
      onProgress: (received) => received >= count && stop.abort(new Error('stopped')),
    }),
    /stopped/,
  );
}

const rejects = (work: Promise<void>, rule: RegExp) =>
  assert.rejects(work, (error: Error) => error instanceof DownloadError && rule.test(error.message));

test('downloads a file from a mirror, reports its bytes and names it when it is complete', async (t) => {
  const { file, folder, progress, download, host } = await prepare(t);
  await download();
  assert.deepEqual(await readFile(file), content);
  assert.deepEqual(await readdir(folder), ['one.bin']);
  assert.deepEqual(progress.at(-1), [content.length, content.length]);
  await download();
  assert.equal(host.ranges.length, 1, 'a complete file is not requested again');
});

test('continues an aborted download from where it was', async (t) => {
  const { file, folder, download, host } = await prepare(t);
  host.behaviour = sendsAndHangs(1_000_000);
  await abortAfter(download, 1_000_000);
  assert.deepEqual((await readdir(folder)).toSorted(), ['one.bin.part', 'one.bin.part.json']);
  host.behaviour = null;
  await download();
  assert.deepEqual(host.ranges, ['', 'bytes=1000000-']);
  assert.deepEqual(await readFile(file), content);
});

test('starts again when the file has changed, or the server knows no ranges', async (t) => {
  const { file, download, host } = await prepare(t);
  host.behaviour = sendsAndHangs(1_000_000);
  host.files.set(path, { bytes: randomBytes(content.length), etag: '"0"' });
  await abortAfter(download, 1_000_000);
  host.files.set(path, { bytes: content, etag: '"1"' });
  host.behaviour = null;
  await download();
  assert.deepEqual(await readFile(file), content);

  const other = await prepare(t);
  other.host.behaviour = sendsAndHangs(1_000_000);
  await abortAfter(other.download, 1_000_000);
  other.host.behaviour = (_request, reply, { bytes }) => {
    reply.writeHead(200, { 'content-length': bytes.length }).end(bytes);
    return true;
  };
  await other.download();
  assert.deepEqual(await readFile(other.file), content);
});

test('continues by itself after a lost connection and gives up after some without progress', async (t) => {
  const { file, download, host } = await prepare(t);
  let calls = 0;
  host.behaviour = (request, reply, hosted) => {
    calls++;
    return calls === 1 && sendsAndBreaks(1_500_000)(request, reply, hosted);
  };
  await download();
  assert.deepEqual(await readFile(file), content);
  assert.match(host.ranges[1] ?? '', /^bytes=\d+-$/);

  const broken = await prepare(t);
  broken.host.behaviour = sendsAndBreaks(10_000);
  await rejects(broken.download(), /the connection to files\.example\.org was lost/);
  assert.ok(broken.host.ranges.length >= 4);
});

test('rejects an altered file and deletes it', async (t) => {
  const { folder, download, host } = await prepare(t);
  const altered = Buffer.from(content);
  altered[2_000_000] = (altered[2_000_000] as number) ^ 1;
  host.files.set(path, { bytes: altered, etag: '"2"' });
  await rejects(download(), /its SHA-256 must be [0-9a-f]{64} \(got [0-9a-f]{64}\)/);
  assert.deepEqual(await readdir(folder), []);
});

test('rejects a server that announces another length before it reads the file', async (t) => {
  const { folder, download, host } = await prepare(t);
  host.files.set(path, { bytes: content.subarray(0, 2_000_000), etag: '"2"' });
  await rejects(download(), /must have 3000000 bytes \(files\.example\.org announces 2000000 bytes\)/);
  await rejects(download({ bytes: null, maxBytes: 1_000_000 }), /must have at most 976\.6 kB/);
  assert.deepEqual(await readdir(folder), []);
});

test('rejects a server that sends more than the file has, with or without a length', async (t) => {
  const { folder, download, host } = await prepare(t);
  host.behaviour = (_request, reply) => {
    reply.writeHead(200, { etag: '"2"' });
    reply.end(Buffer.concat([content, content]));
    return true;
  };
  await rejects(download(), /sends more than the 3000000 bytes/);
  assert.deepEqual(await readdir(folder), []);
});

test('rejects a server that ends the file early again and again', async (t) => {
  const { download, host } = await prepare(t);
  host.behaviour = (_request, reply) => {
    reply.writeHead(200, { etag: '"2"' });
    reply.end(content.subarray(0, 500_000));
    return true;
  };
  await rejects(download(), /ended the file after 500000 of 3000000 bytes/);
});

test('rejects a server that hangs, and one that sends single bytes', async (t) => {
  const { download, host, folder } = await prepare(t, { idleMs: 50 });
  host.behaviour = sendsAndHangs(1_000_000);
  await rejects(download(), /sends nothing for 0\.05 s/);
  assert.deepEqual((await readdir(folder)).toSorted(), ['one.bin.part', 'one.bin.part.json']);
  host.behaviour = (_request, reply) => {
    const timer = setInterval(() => reply.write('x'), 5);
    reply.on('close', () => clearInterval(timer));
    return true;
  };
  await rejects(download(), /sends nothing for 0\.05 s, or almost nothing/);
  host.behaviour = () => true;
  await rejects(download(), /sends nothing/);
});

test('rejects another part than requested, and an error of the server', async (t) => {
  const { download, host, file } = await prepare(t);
  host.behaviour = sendsAndHangs(1_000_000);
  await abortAfter(download, 1_000_000);
  let calls = 0;
  host.behaviour = (_request, reply, { bytes }) => {
    if (++calls > 1) return false;
    reply.writeHead(206, { 'content-range': `bytes 5-${bytes.length - 1}/${bytes.length}` });
    reply.end(bytes.subarray(5));
    return true;
  };
  await download();
  assert.deepEqual(await readFile(file), content);
  const other = await prepare(t);
  other.host.files.clear();
  await rejects(other.download(), /answered 404: the file is no longer there/);
  assert.equal(other.host.ranges.length, 1, 'it is not tried again');
});

test('deletes what has arrived when the disk is full', async (t) => {
  const { folder, download } = await prepare(t);
  const openFile = async (to: string): Promise<FileHandle> => {
    const handle = await open(to, 'w+');
    const write = handle.write.bind(handle) as (...args: unknown[]) => unknown;
    let written = 0;
    handle.write = ((...args: unknown[]) => {
      written += args[2] as number;
      if (written > 1_000_000)
        throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
      return write(...args);
    }) as FileHandle['write'];
    return handle;
  };
  await rejects(download({ openFile }), /the disk is full: free some space and try again/);
  assert.deepEqual(await readdir(folder), []);
});

test('follows redirects of the mirror to itself only', async (t) => {
  const { download, host, file } = await prepare(t);
  host.files.set('/elsewhere', { bytes: content, etag: '"1"' });
  const redirectTo =
    (location: string): FileHost['behaviour'] =>
    (request, reply) => {
      if (request.url === '/elsewhere') return false;
      reply.writeHead(302, { location }).end();
      return true;
    };
  host.behaviour = redirectTo('http://localhost:1/secret');
  await rejects(download(), /the mirror may not redirect to another host \(got localhost:1\)/);
  host.behaviour = redirectTo(path);
  await rejects(download(), /redirects more than 5 times/);
  host.behaviour = redirectTo('/elsewhere');
  await download();
  assert.deepEqual(await readFile(file), content);
});

test('without a mirror requests only named public hosts by https', async () => {
  const hosts = { mirrorUrl: null, redirectHosts: [] };
  for (const address of [
    'http://example.org/a',
    'https://127.0.0.1/a',
    'https://example.org:8443/a',
    'https://box.lan/a',
  ])
    await assert.rejects(
      requestDownload(new URL(address), {}, hosts, new AbortController().signal),
      /only https on a public host is allowed/,
    );
});

test('follows redirects of a public host to the hosts of the catalogue only', () => {
  const first = new URL('https://github.com/a');
  const hosts = { mirrorUrl: null, redirectHosts: ['githubusercontent.com'] };
  const refusalOf = (address: string) => downloadRefusal(new URL(address), first, hosts);
  for (const allowed of ['https://github.com/b', 'https://release-assets.githubusercontent.com/x?sig=1'])
    assert.equal(refusalOf(allowed), null);
  for (const refused of ['https://example.org/b', 'https://evilgithubusercontent.com/b'])
    assert.match(refusalOf(refused) ?? '', /github\.com may not redirect to/);
  assert.match(refusalOf('http://github.com/b') ?? '', /only https/);
});

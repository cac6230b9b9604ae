import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeTar } from '../../testing/test-catalogue.ts';
import { TarError, tarEntries } from './tar-entries.ts';

const files = [
  ['./one.txt', Buffer.from('first')],
  ['folder/two.bin', Buffer.alloc(1500, 7)],
  ['empty', Buffer.alloc(0)],
] as const;
const archive = writeTar(files);

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(bytes: Buffer, size = 100): Promise<[string, Buffer][]> {
  const found: [string, Buffer][] = [];
  for await (const entry of tarEntries(pieces(bytes, size))) {
    const parts: Buffer[] = [];
    for await (const part of entry.content()) parts.push(part);
    found.push([entry.name, Buffer.concat(parts)]);
  }
  return found;
}

test('yields the files of an archive, whatever the size of the pieces', async () => {
  const expected = files.map(([name, bytes]) => [name.replace('./', ''), bytes]);
  for (const size of [1, 100, 512, 100_000]) assert.deepEqual(await readAll(archive, size), expected);
});

test('skips files that are not read', async () => {
  const names: string[] = [];
  for await (const { name } of tarEntries(pieces(archive, 300))) names.push(name);
  assert.deepEqual(names, ['one.txt', 'folder/two.bin', 'empty']);
});

test('rejects archives that are cut, altered or something else', async () => {
  for (const [bytes, rule] of [
    [Buffer.alloc(0), /is empty/],
    [archive.subarray(0, 900), /ends/],
    [archive.subarray(0, 1024 + 600), /ends inside a file/],
    [archive.subarray(0, archive.length - 1024), /ends without its last block/],
    [Buffer.alloc(2048, 65), /number of the archive cannot be read|no tar archive/],
  ] as const)
    await assert.rejects(
      readAll(bytes),
      (error: Error) => error instanceof TarError && rule.test(error.message),
      String(rule),
    );
  const altered = Buffer.from(archive);
  altered[0] = 90;
  await assert.rejects(readAll(altered), /a header is damaged/);
});

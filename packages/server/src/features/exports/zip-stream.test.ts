import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { readZip } from '../../testing/read-zip.ts';
import { type ZipFile, zipBytes, zipStream } from './zip-stream.ts';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  for (const letter of text) yield await Promise.resolve(Buffer.from(letter));
}

async function* filesOf(texts: Readonly<Record<string, string>>): AsyncGenerator<ZipFile> {
  for (const [name, text] of Object.entries(texts))
    yield await Promise.resolve({ name, modified: new Date(2026, 1, 3), bytes: bytesOf(text) });
}

test('a ZIP contains its files under their names and has the predicted length', async () => {
  const texts = { 'a.txt': 'abc', 'Jóga 🏖.txt': 'more text', 'empty.txt': '' };
  const zip = await buffer(zipStream(filesOf(texts)));
  const sizes = Object.entries(texts).map(([name, text]) => ({ name, bytes: text.length }));
  assert.equal(BigInt(zip.length), zipBytes(sizes));
  const files = [...readZip(zip)].map(([name, bytes]) => [name, bytes.toString()]);
  assert.deepEqual(Object.fromEntries(files), texts);
});

test('a file of more than 4 GiB produces a ZIP64', () => {
  const small = zipBytes([{ name: 'a', bytes: 1 }]) - 1n;
  const large = zipBytes([{ name: 'a', bytes: 5 * 2 ** 30 }]) - BigInt(5 * 2 ** 30);
  // Eight more bytes after the data, an extra field of 28 in the directory, and the two end records of ZIP64.
  assert.equal(large - small, BigInt(8 + 28 + 76));
});

test('destroying the stream ends the open file and the files after it', async () => {
  const ended: string[] = [];
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield await Promise.resolve(new Uint8Array(65_536));
    } finally {
      ended.push('file');
    }
  }
  async function* files(): AsyncGenerator<ZipFile> {
    try {
      yield await Promise.resolve({ name: 'endless', modified: new Date(0), bytes: endless() });
    } finally {
      ended.push('files');
    }
  }
  const zip = zipStream(files());
  for await (const chunk of zip) if ((chunk as Uint8Array).length > 1000) break;
  while (ended.length < 2) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(ended, ['file', 'files']);
});

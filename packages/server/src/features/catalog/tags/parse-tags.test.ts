import assert from 'node:assert/strict';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { joinOgg, splitOgg } from '@stem-studio/dsp/testing/ogg-file';
import { opusSong } from '@stem-studio/dsp/testing/ogg-songs';
import { parseLengthMs, parseTags } from './parse-tags.ts';

async function reading<T>(path: string, read: (handle: Awaited<ReturnType<typeof open>>) => Promise<T>) {
  await using handle = await open(path);
  return await read(handle);
}

test('reads a negative or impossible duration as unknown', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'song.opus');
  const lengthOf = async (granule: bigint) => {
    const pages = splitOgg(opusSong());
    for (const page of pages) page.granule = page.granule === 0n ? 0n : granule;
    await writeFile(path, joinOgg(pages));
    return (await reading(path, (handle) => parseTags(handle, 'song.opus'))).tags.durationMs;
  };
  // Opus begins with 312 samples of encoder delay; its rate is 48 kHz.
  assert.equal(await lengthOf(48_312n), 1000);
  assert.equal(await lengthOf(1n), 0);
  assert.equal(await lengthOf(2n ** 60n), 0);
});

test('reads the length that a file states in its last bytes, whatever its size', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'song.opus');
  const pages = splitOgg(opusSong());
  const audioPages = pages.filter((page) => page.granule > 0n);
  const heads = pages.filter((page) => page.granule === 0n);
  const many = Array.from({ length: 200 }, () => audioPages.map((page) => ({ ...page }))).flat();
  for (const [index, page] of many.entries())
    Object.assign(page, { granule: 312n + 480n * BigInt(index + 1), flags: 0 });
  const bytes = joinOgg([...heads, ...many]);
  await writeFile(path, bytes);
  assert.ok(bytes.length > 100_000, String(bytes.length));
  assert.equal(await reading(path, parseLengthMs), many.length * 10);
});

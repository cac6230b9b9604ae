import assert from 'node:assert/strict';
import { open, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { joinOgg, splitOgg } from '@stem-studio/dsp/testing/ogg-file';
import { vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import {
  atom,
  coverFrame,
  flacWithBlocks,
  id3Frame,
  listOfTexts,
  manyComments,
  mp3WithFrames,
  mp4With,
  wavWithChunk,
} from '../../../testing/hostile-tags.ts';
import { makeFolder } from '../../../testing/library-steps.ts';
import { testFlac, testMp3, testWav } from '../../../testing/test-audio.ts';
import type { TestLifetime } from '../../../testing/test-context.ts';
import { fileAt, inspectTags, tagWarning } from './inspect-file.ts';

const never = new AbortController().signal;

async function inspect(t: TestLifetime, bytes: Uint8Array, length?: number) {
  const path = join(await makeFolder(t), 'Some one - Song.bin');
  await writeFile(path, bytes);
  // The rest is a hole in the file, which takes no disk space.
  if (length !== undefined) await truncate(path, length);
  return inspectTags(
    { file: fileAt(path), name: 'Some one - Song.bin', withCover: true, withLength: false },
    never,
  );
}

/** Asserts that the tags were not read, for this reason, and that the file name replaces them. */
async function requireLimit(t: TestLifetime, reason: RegExp, bytes: Uint8Array, length?: number) {
  const { tags, problem, hasCover } = await inspect(t, bytes, length);
  assert.equal(problem?.kind, 'limit', JSON.stringify(problem));
  assert.match(problem.reason, reason);
  assert.match(tagWarning(problem) ?? '', /^The tags could not be read: /);
  assert.deepEqual([tags.title, tags.artist, hasCover], ['Song', 'Some one', false]);
}

const comments = (count: number) => ({ type: 4, body: manyComments(count) });

test('does not read tags with too many fields, in every format', async (t) => {
  const flac = await testFlac({ seconds: 0.2 });
  await requireLimit(t, /2,097,152 comments \(at most 10,000\)/, flacWithBlocks(flac, [comments(2_097_152)]));
  const twice = flacWithBlocks(flac, [comments(9000), comments(9000)]);
  await requireLimit(t, /18,000 comments/, twice);
  const empty = Array.from({ length: 20_000 }, () => ({ type: 1, body: Buffer.alloc(0) }));
  await requireLimit(t, /10,001 blocks of metadata/, flacWithBlocks(flac, empty));
  const frames = Array.from({ length: 10_001 }, () => id3Frame('TXXX', Buffer.from('\0a\0b')));
  await requireLimit(t, /10,001 ID3 frames/, mp3WithFrames(await testMp3(), frames));
  const texts = wavWithChunk(await testWav(), 'LIST', listOfTexts(10_001));
  await requireLimit(t, /10,001 texts in its LIST chunk/, texts);
  const atoms = Buffer.concat(Array.from({ length: 100_001 }, () => atom('free', Buffer.alloc(0))));
  await requireLimit(t, /atoms \(at most 100,000\)/, mp4With(atoms));
  const pages = splitOgg(vorbisSong());
  const second = pages[1] as (typeof pages)[number];
  const found = Buffer.from(joinOgg(pages));
  const mark = found.indexOf('\x03vorbis', 0, 'latin1') + 7;
  found.writeUInt32LE(4_000_000_000, mark + 4 + found.readUInt32LE(mark));
  assert.ok(second && mark > 7);
  await requireLimit(t, /4,000,000,000 comments/, found);
});

test('does not read oversized pictures, texts and tags', async (t) => {
  const mp3 = await testMp3();
  const head = mp3WithFrames(mp3, [coverFrame(200_000_000)]).subarray(0, 4096);
  await requireLimit(t, /its ID3 tag has 201 MB \(at most 64 MB\)/, head, 200_100_000);
  const picture = mp3WithFrames(mp3, [coverFrame(20_000_000)]);
  await requireLimit(t, /a picture has 21 MB \(at most 17 MB\)/, picture);
  const lyrics = mp3WithFrames(mp3, [id3Frame('USLT', Buffer.alloc(1_100_000, 0x61))]);
  await requireLimit(t, /its ID3 frame USLT has 2 MB/, lyrics);
  const covr = mp4With(
    atom(
      'moov',
      atom(
        'udta',
        atom('meta', Buffer.concat([Buffer.alloc(4), atom('ilst', atom('covr', Buffer.alloc(20_000_000)))])),
      ),
    ),
  );
  await requireLimit(t, /its atom "covr" has 20 MB/, covr);
  const chunk = wavWithChunk(await testWav(), 'odd ', Buffer.alloc(20_000_000));
  await requireLimit(t, /its chunk "odd " has 20 MB/, chunk);
});

test('does not read endlessly nested atoms', async (t) => {
  let nested: Buffer = Buffer.alloc(0);
  for (let depth = 0; depth < 2000; depth++) nested = atom('moov', nested);
  await requireLimit(t, /17 levels of atoms/, mp4With(nested));
});

test('reads large but ordinary tags', async (t) => {
  const flac = await testFlac({ seconds: 0.2 });
  const many = await inspect(t, flacWithBlocks(flac, [comments(5000)]));
  assert.equal(many.problem, null);
  const cover = await inspect(
    t,
    mp3WithFrames(await testMp3(), [id3Frame('TIT2', Buffer.from('\0Tide')), coverFrame(12_000_000)]),
  );
  assert.deepEqual([cover.problem, cover.tags.title, cover.hasCover], [null, 'Tide', true]);
  assert.equal(cover.tags.cover?.bytes.length, 12_000_000);
});

test('treats a file that states more than it contains as damaged and uses its name', async (t) => {
  const { problem, tags } = await inspect(t, mp4With(be32Atom('moov', 4_000_000_000)));
  assert.notEqual(problem?.kind, 'limit');
  assert.equal(tags.title, 'Song');
});

test('does not wait for anything that is not a regular file', async (t) => {
  const { execFileSync } = await import('node:child_process');
  const root = await makeFolder(t);
  execFileSync('mkfifo', [join(root, 'pipe.mp3')]);
  const request = { file: { root, path: 'pipe.mp3' }, name: null, withCover: false, withLength: false };
  await assert.rejects(inspectTags(request, never), /lies outside of its folder, or is no file/);
  const handle = await open(root);
  await handle.close();
});

function be32Atom(name: string, size: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(size);
  bytes.write(name, 4);
  return bytes;
}

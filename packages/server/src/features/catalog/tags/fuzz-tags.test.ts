import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { mutateFile, mutations } from '@stem-studio/dsp/testing/mutate-file';
import { opusSong, vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import * as fc from 'fast-check';
import { makeFolder } from '../../../testing/library-steps.ts';
import { testFlac, testMp3, testWav, tinyPng, writeTaggedFile } from '../../../testing/test-audio.ts';
import { fileAt, inspectTags } from './inspect-file.ts';

const filesEach = 60;
const never = new AbortController().signal;

test('returns short texts and whole numbers for mutated files of any kind without ending a process', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, 'mutated');
  const kinds: Record<string, Uint8Array> = {
    'a.mp3': await testMp3(),
    'a.flac': await testFlac({ seconds: 0.2 }),
    'a.wav': await testWav({ seconds: 0.2 }),
    'a.ogg': vorbisSong(),
    'a.opus': opusSong(),
  };
  for (const [name, bytes] of Object.entries(kinds)) {
    await writeTaggedFile(
      join(folder, name),
      bytes,
      { title: 'Tide', artist: 'Ebb', album: 'Moon' },
      tinyPng,
    );
    const file = new Uint8Array(await readFile(join(folder, name)));
    for (const change of fc.sample(mutations, { numRuns: filesEach, seed: 20_261_122 })) {
      await writeFile(path, mutateFile(file, change));
      const request = { file: fileAt(path), name: 'Some one - Song.mp3', withCover: true, withLength: true };
      const { tags, problem } = await inspectTags(request, never);
      assert.doesNotMatch(problem?.reason ?? '', /ended unexpectedly|made no progress|took longer|memory/);
      for (const text of [tags.title, tags.artist, tags.album, tags.genre, tags.isrc ?? ''])
        assert.ok(text.length <= 300 && !/\p{Cc}/u.test(text), JSON.stringify(tags));
      for (const value of [tags.discNumber, tags.trackNumber, tags.durationMs])
        assert.ok(Number.isInteger(value) && value >= 0, JSON.stringify(tags));
      assert.notEqual(tags.title, '');
    }
  }
});

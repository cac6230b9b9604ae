import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../testing/library-steps.ts';
import { testMp3, testWav } from '../../testing/test-audio.ts';
import { type PrepareRequest, prepareAudio } from './prepare-audio.ts';

const tags = { title: 'A song', artist: '', album: '', genre: '', isrc: null, cover: null };
const asked = { quality: 'low', withPeaks: true, maxDurationSeconds: 10, tags } as const;

test('throws system errors with their code and explains unusable audio with a message', async (t) => {
  const folder = await makeFolder(t);
  const audioPath = join(folder, 'received');
  await writeFile(audioPath, await testWav({ seconds: 0.1 }));
  const request: PrepareRequest = { ...asked, audioPath, outputFolder: join(folder, 'missing') };
  await assert.rejects(
    prepareAudio(request, () => undefined),
    { code: 'ENOENT' },
  );
  await writeFile(audioPath, 'no sound');
  const refused = await prepareAudio({ ...request, outputFolder: folder }, () => undefined);
  assert.equal(refused.kind, 'refused');
});

test('applies the length limit during decoding to audio without a declared length', async (t) => {
  const folder = await makeFolder(t);
  const audioPath = join(folder, 'received');
  const mp3 = await testMp3({ seconds: 2 });
  // The first frame only holds the length; without it, only decoding reveals the length.
  const [, next = 0] = [...mp3.keys()].filter((at) => mp3[at] === 0xff && mp3[at + 1] === 0xfb);
  await writeFile(audioPath, mp3.subarray(next));
  const request: PrepareRequest = { ...asked, audioPath, outputFolder: folder };
  const fractions: number[] = [];
  const whole = await prepareAudio(request, (fraction) => void fractions.push(fraction));
  assert.ok(whole.kind === 'ready' && whole.durationMs >= 2000, JSON.stringify(whole));
  const limited = await prepareAudio({ ...request, maxDurationSeconds: 1 }, () => undefined);
  assert.deepEqual(limited, {
    kind: 'refused',
    message: 'a song must last at most 1 s (this one is longer)',
  });
});

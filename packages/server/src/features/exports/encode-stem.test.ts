import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ExportFormat } from '@stem-studio/contract/export-formats';
import { testWav } from '../../testing/test-audio.ts';
import { encodeStem } from './encode-stem.ts';

test('an unknown format is rejected by name and leaves no file', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'encode-stem-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const inputPath = join(folder, 'stem.wav');
  await writeFile(inputPath, await testWav({ seconds: 0.1 }));
  for (const format of ['aac', 'toString', ''])
    await assert.rejects(
      encodeStem({
        inputPaths: [inputPath],
        outputPath: join(folder, 'encoded'),
        format: format as ExportFormat,
        gain: 1,
        tags: { title: 'Song', artist: '', album: '', genre: '', bpm: '', initialKey: '' },
        coverPath: null,
      }),
      { message: `export format must be wav, flac or mp3 (got ${format || 'nothing'})` },
    );
  assert.deepEqual(await readdir(folder), ['stem.wav']);
});

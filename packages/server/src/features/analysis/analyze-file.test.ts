import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { opusSong, vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import { analyzeFile } from './analyze-file.ts';

for (const [name, song] of [
  ['Ogg Vorbis', vorbisSong()],
  ['Ogg Opus', opusSong()],
] as const) {
  test(`the analysis of ${name} reports progress that never decreases and reaches the end`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'stem-studio-test-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'song');
    await writeFile(path, song);
    const fractions: number[] = [];
    await analyzeFile({
      path,
      features: ['all'],
      maxDurationSeconds: 60,
      signal: new AbortController().signal,
      onProgress: (fraction) => fractions.push(fraction),
    });
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
    assert.equal(fractions.at(-1), 1);
    // Progress is reported both during decoding, by the audio's length and not by its bytes, and during the final
    // evaluation.
    assert.ok(
      fractions.filter((fraction) => fraction > 0 && fraction < 0.9).length >= 3,
      fractions.join(' '),
    );
    assert.ok(
      fractions.filter((fraction) => fraction > 0.9 && fraction < 1).length >= 2,
      fractions.join(' '),
    );
  });
}

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SeparatorProgress } from '@stem-studio/contract/separator';
import type { SeparatorPool } from '../features/processing/engines/separator-pool.ts';
import { makeFolder } from './library-steps.ts';
import { repeatSeparations } from './repeated-separations.ts';

test('a song is separated once; the same bytes get the same stems, messages and result', async (t) => {
  let count = 0;
  const halfway = { type: 'progress', percent: 50 } as const;
  const pool: SeparatorPool = {
    async separate({ output_dir, input_path }, { report }) {
      count += 1;
      report(halfway);
      const vocals = join(output_dir, 'vocals.wav');
      await writeFile(vocals, `stem ${count} of ${await readFile(input_path, 'utf8')}`);
      const result = { type: 'result', stems: { vocals }, duration_ms: 1000 } as const;
      return { result, refusal: null, exitCode: null, stderrTail: '', hasSpoken: true };
    },
    close: async () => undefined,
  };
  const repeating = repeatSeparations(pool);
  const separate = async (text: string, model: 'hybrid_4' | 'hybrid_6' = 'hybrid_4') => {
    const output_dir = await makeFolder(t);
    const input_path = join(await makeFolder(t), 'song.wav');
    await writeFile(input_path, text);
    const settings = { model, bit_depth: '16', max_seconds: null, max_duration_seconds: 60 } as const;
    const messages: SeparatorProgress[] = [];
    const run = {
      signal: new AbortController().signal,
      report: (message: SeparatorProgress) => void messages.push(message),
    };
    const { result } = await repeating.separate({ input_path, output_dir, ...settings }, run);
    assert.deepEqual(result?.stems, { vocals: join(output_dir, 'vocals.wav') });
    assert.deepEqual([result.duration_ms, messages], [1000, [halfway]]);
    return readFile(join(output_dir, 'vocals.wav'), 'utf8');
  };
  assert.equal(await separate('a'), 'stem 1 of a');
  assert.equal(await separate('a'), 'stem 1 of a');
  assert.equal(await separate('b'), 'stem 2 of b');
  assert.equal(await separate('a', 'hybrid_6'), 'stem 3 of a');
  assert.equal(count, 3);
});

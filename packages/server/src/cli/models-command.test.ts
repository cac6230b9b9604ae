import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeInsideNetwork } from '@stem-studio/dsp/testing/known-networks';
import { makeFolder } from '../testing/library-steps.ts';
import { runStudio } from '../testing/run-studio.ts';
import { saveNetwork } from '../testing/save-network.ts';
import { testWav } from '../testing/test-audio.ts';

test('adds, lists, uses, checks and removes networks, and shows the notice once', async (t) => {
  const folder = await makeFolder(t);
  const run = (...args: string[]) => runStudio(folder, args);
  saveNetwork(join(folder, 'mine.onnx'), writeInsideNetwork([0.1, 0.2, 0.3, 0.4]));
  const added = await run('models', 'add', 'hybrid_4', 'mine.onnx');
  assert.equal(added.code, 0, added.err);
  assert.match(added.out, /^[0-9a-f]{64} {2}hybrid_4-[0-9a-f]{12}\/network\.onnx\n$/);
  assert.match(added.err, /published for research only/);
  assert.match(added.err, /from the next separation on: [\d.]+ s for 7\.8 s of audio in \d+ MB/);
  const again = await run('models', 'add', 'alt_4', 'mine.onnx');
  assert.doesNotMatch(again.err, /published for research only/);

  const listed = await run('models', 'list');
  assert.match(listed.out, /✔ hybrid_4 +4 stems {2}.*\n +by networks of the operator's own, added on \d{4}/);
  assert.match((await run('doctor')).out, /✔ networks +hybrid_4, alt_4 by networks of your own; onnxruntime/);
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 0.5 }));
  const made = await run('separate', 'song.wav', '--out', 'stems');
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /note: by networks of the operator's own/);

  assert.match((await run('models', 'check')).out, /^✔ hybrid_4 .*\n✔ alt_4 .*\n$/);
  assert.equal((await run('models', 'remove', 'alt_4')).code, 0);
  assert.equal((await run('models', 'remove', 'alt_4')).code, 1);
  const [kept] = (await readdir(join(folder, 'data', 'models'))).filter((name) =>
    name.startsWith('hybrid_4-'),
  );
  const path = join(folder, 'data', 'models', kept ?? '', 'network.onnx');
  saveNetwork(path, writeInsideNetwork([0.1, 0.2, 0.3, 0.5]));
  const checked = await run('models', 'check');
  assert.equal(checked.code, 1);
  assert.match(checked.out, /✖ hybrid_4 +.*network\.onnx must have the sha256 .*: add it again/);
});

test('reports a wrong file and an unknown model and stores nothing', async (t) => {
  const folder = await makeFolder(t);
  await writeFile(join(folder, 'text.onnx'), 'no network');
  const wrong = await runStudio(folder, ['models', 'add', 'hybrid_4', 'text.onnx']);
  assert.equal(wrong.code, 1);
  assert.match(wrong.err, /must be an ONNX file/);
  assert.deepEqual(await readdir(join(folder, 'data', 'models')), ['.notice-shown']);
  const unknown = await runStudio(folder, ['models', 'add', 'hybrid_9', 'text.onnx']);
  assert.deepEqual([unknown.code, /MODEL must be hybrid_4/.test(unknown.err)], [2, true]);
  const none = await runStudio(folder, ['models', 'check']);
  assert.deepEqual([none.code, none.out], [0, '']);
});

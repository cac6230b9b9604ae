import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findRetiredWords, violationOf } from './find-retired-words.ts';

const audio = 'packages/audio/src/deck/file.ts';
const namesIn = (text: string, path = audio) =>
  findRetiredWords({ path, text }).map(({ line, word }) => `${line} ${word.name}`);

test('finds a retired word as a part of camelCase, kebab-case and snake_case names', () => {
  assert.deepEqual(namesIn('const boothKernel = new TheBooth();\nrow.booth_id = 1;\n'), [
    '1 booth',
    '1 booth',
    '2 booth',
  ]);
  assert.deepEqual(namesIn('', 'packages/audio/src/booth-kernel.ts'), ['1 booth']);
  assert.deepEqual(namesIn('.dj-booth { color: red; }\n', 'packages/web/src/a.module.css'), ['1 booth']);
  assert.deepEqual(namesIn('const tabooth = replace(replacement);\n'), []);
});

test('finds a retired word in comments, strings and documents', () => {
  assert.deepEqual(namesIn('// Told by the service.\nconst a = `no ${b} news`;\n'), ['1 told', '2 news']);
  assert.deepEqual(namesIn('What is heard.\n', 'docs/api.md'), ['1 heard']);
});

test('counts words that plain English needs only in names', () => {
  assert.deepEqual(namesIn("// In turn, smaller ones.\nthrow new Error('a turn of a knob');\n"), []);
  assert.deepEqual(namesIn('throw new Error(`a turn of ${knob} makes no sound ${now} in turn`);\n'), []);
  assert.deepEqual(namesIn('// Calls `takeTurn`.\nconst barOnes = keyedTurns;\n'), [
    '1 turn',
    '2 ones',
    '2 turn',
  ]);
  assert.deepEqual(namesIn('The sound of it, in `sounds`.\n', 'README.md'), ['1 sound']);
});

test('does not count correct uses', () => {
  assert.deepEqual(
    namesIn("// In place, takes place, dj.booth, wall clock.\nctx.strokeStyle = 'a b';\n"),
    [],
  );
  assert.deepEqual(namesIn('const voices = 8;\n', 'packages/dsp/src/synth/a.ts'), []);
  assert.deepEqual(namesIn('const voices = 8;\n'), ['1 voice']);
  assert.deepEqual(namesIn('session.sound_client = null;\n'), []);
});

test('does not count the path of an import, which repeats a file name', () => {
  assert.deepEqual(
    namesIn("import { a } from './deck-place.ts';\nexport type { b } from './booth.ts';\n"),
    [],
  );
});

test('names the path, the line and the replacement of a use', () => {
  const [use] = findRetiredWords({ path: audio, text: '// One.\n// The news.\n' });
  assert.ok(use);
  assert.deepEqual(violationOf(use), {
    path: audio,
    line: 2,
    rule: 'retired word',
    message: 'write event, update (got news)',
  });
});

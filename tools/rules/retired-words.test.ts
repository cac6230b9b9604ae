import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaOf, compareCounts, countWords, findRetiredWords, totalsOf } from './retired-words.ts';

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
  assert.deepEqual(namesIn('// Calls `takeTurn`.\nconst oneSeconds = keyedTurns;\n'), [
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

test('maps paths to areas: packages, the halves of the server, and top-level folders', () => {
  assert.deepEqual(
    [
      audio,
      'packages/server/src/features/a.ts',
      'packages/server/src/platform/a.ts',
      'packages/server/src/cli/a.ts',
      'e2e/a.ts',
      'README.md',
    ].map(areaOf),
    [
      'packages/audio',
      'packages/server/features',
      'packages/server/platform',
      'packages/server',
      'e2e',
      'docs',
    ],
  );
});

test('reports a changed count as a difference; totals reveal moves between areas', () => {
  const counts = countWords(findRetiredWords({ path: audio, text: '// booth, booth, told\n' }));
  assert.deepEqual(counts, { 'packages/audio': { booth: 2, told: 1 } });
  assert.deepEqual(compareCounts(counts, counts), []);
  assert.deepEqual(compareCounts({ 'packages/audio': { booth: 1, news: 4, told: 1 } }, counts), [
    { area: 'packages/audio', name: 'booth', was: 1, is: 2 },
    { area: 'packages/audio', name: 'news', was: 4, is: 0 },
  ]);
  assert.deepEqual(totalsOf({ a: { booth: 1 }, b: { booth: 2, told: 3 } }), { booth: 3, told: 3 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDocblocks } from './docblocks.ts';
import { parseSource } from './source.ts';

function linesReported(text: string, path = 'packages/dsp/src/a.ts'): number[] {
  return checkDocblocks(parseSource({ path, text })).map(({ line }) => line);
}

test('requires a docblock for every export', () => {
  assert.deepEqual(linesReported('/** One. */\nexport const a = 1;\n'), []);
  for (const naked of ['const a = 1', 'function f() {}', 'class C {}', 'interface I {}', 'type T = 1']) {
    assert.deepEqual(linesReported(`/** Of another. */\nconst z = 0;\nexport ${naked};\n`), [3], naked);
  }
});

test('rejects a line comment and an empty docblock', () => {
  assert.deepEqual(linesReported('// One.\nexport const a = 1;\n'), [2]);
  assert.deepEqual(linesReported('/** */\nexport const a = 1;\n'), [2]);
});

test('allows a linter hint between docblock and export', () => {
  assert.deepEqual(linesReported('/** One. */\n// oxlint-disable-next-line x\nexport const a = 1;\n'), []);
});

test('accepts one docblock for all signatures of a function', () => {
  const text =
    '/** F. */\nexport function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: never) { return a; }\n';
  assert.deepEqual(linesReported(text), []);
});

test('requires the docblock of a name exported by a list at its declaration', () => {
  assert.deepEqual(linesReported('/** One. */\nconst a = 1;\nexport { a };\n'), []);
  assert.deepEqual(linesReported('const a = 1;\nexport { a };\n'), [2]);
});

test('allows re-exports only in the index of a feature and in its part for commands', () => {
  const text = "export { a } from './b.ts';\nexport * from './c.ts';\n";
  assert.deepEqual(linesReported(text), [1, 2]);
  assert.deepEqual(linesReported(text, 'packages/server/src/features/tracks/index.ts'), []);
  assert.deepEqual(linesReported(text, 'packages/server/src/features/tracks/standalone.ts'), []);
});

test('requires no docblocks in tests and configuration files', () => {
  assert.deepEqual(linesReported('export const a = 1;', 'packages/dsp/src/a.test.ts'), []);
  assert.deepEqual(linesReported('export default {};', 'packages/web/vite.config.ts'), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDocblocks } from './docblocks.ts';
import { parseSource } from './source.ts';

function linesReported(text: string, path = 'packages/dsp/src/a.ts'): number[] {
  return checkDocblocks(parseSource({ path, text })).map(({ line }) => line);
}

test('every export has a docstring', () => {
  assert.deepEqual(linesReported('/** One. */\nexport const a = 1;\n'), []);
  for (const naked of ['const a = 1', 'function f() {}', 'class C {}', 'interface I {}', 'type T = 1']) {
    assert.deepEqual(linesReported(`/** Of another. */\nconst z = 0;\nexport ${naked};\n`), [3], naked);
  }
});

test('a comment that is no docstring, or an empty one, does not count', () => {
  assert.deepEqual(linesReported('// One.\nexport const a = 1;\n'), [2]);
  assert.deepEqual(linesReported('/** */\nexport const a = 1;\n'), [2]);
});

test('a linter hint may stand between', () => {
  assert.deepEqual(linesReported('/** One. */\n// oxlint-disable-next-line x\nexport const a = 1;\n'), []);
});

test('the signatures of one function share a docstring', () => {
  const text =
    '/** F. */\nexport function f(a: 1): 1;\nexport function f(a: 2): 2;\nexport function f(a: never) { return a; }\n';
  assert.deepEqual(linesReported(text), []);
});

test('a name exported by a list is documented where it is declared', () => {
  assert.deepEqual(linesReported('/** One. */\nconst a = 1;\nexport { a };\n'), []);
  assert.deepEqual(linesReported('const a = 1;\nexport { a };\n'), [2]);
});

test('re-exports stand only in the index of a feature', () => {
  const text = "export { a } from './b.ts';\nexport * from './c.ts';\n";
  assert.deepEqual(linesReported(text), [1, 2]);
  assert.deepEqual(linesReported(text, 'packages/server/src/features/tracks/index.ts'), []);
});

test('tests and configuration files need none', () => {
  assert.deepEqual(linesReported('export const a = 1;', 'packages/dsp/src/a.test.ts'), []);
  assert.deepEqual(linesReported('export default {};', 'packages/web/vite.config.ts'), []);
});

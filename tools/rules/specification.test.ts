import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSpecification, readSpecification, relinkModules } from './specification.ts';

const code = 'packages/dsp/src/mix/crossfade.ts';
const pageOf = (text: string) => ({ path: 'docs/specification.md', text });
const valid = pageOf(
  `# Specification\n\n## Players\n\n### Crossfader\n\nModules: [crossfade.ts](../${code})\n\n- Four curves.\n`,
);
const tagged = (heading: string) => ({ path: code, text: `/**\n * Gains.\n *\n * @spec ${heading}\n */\n` });
const check = (page = valid, files = [tagged('Crossfader')], existing = [code]) =>
  checkSpecification([page], files, (file) => existing.includes(file)).map(({ path, line }) => [path, line]);

test('accepts a tag with its heading and an existing module', () => {
  assert.deepEqual(check(), []);
  assert.deepEqual(check(valid, [{ path: code, text: '/** Gains. @spec Crossfader */\n' }]), []);
  assert.deepEqual(readSpecification([valid]), [
    { heading: 'Crossfader', path: 'docs/specification.md', line: 5, modules: [code] },
  ]);
});

test('reports a tag without a heading', () => {
  assert.deepEqual(check(valid, [tagged('Crossfade')]), [[code, 4]]);
  assert.deepEqual(check(valid, [tagged('Players')]), [[code, 4]]);
});

test('reports a heading without a module', () => {
  assert.deepEqual(check(pageOf(`${valid.text}\n### Scratching\n\n- None.\n`)), [
    ['docs/specification.md', 11],
  ]);
});

test('reports a link to a module that does not exist', () => {
  assert.deepEqual(check(valid, [], []), [['docs/specification.md', 5]]);
});

test('reports a duplicate heading', () => {
  assert.deepEqual(check(pageOf(valid.text + valid.text.split('## Players')[1])), [
    ['docs/specification.md', 12],
  ]);
});

test('relinks a moved module if only one file has its name', () => {
  const moved = 'packages/kernels/src/crossfade.ts';
  const text = relinkModules(valid, [moved]);
  assert.ok(text.includes(`[crossfade.ts](../${moved})`));
  assert.equal(relinkModules(valid, [moved, 'packages/web/src/crossfade.ts']), valid.text);
  assert.equal(relinkModules(valid, [code, moved]), valid.text);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkCode, checkFile, checkStyle } from './code-rules.ts';
import { parseSource } from './source.ts';

const inFile = (path: string, text: string) => checkFile({ path, text }).map(({ rule }) => rule);
const inCode = (path: string, text: string) => checkCode(parseSource({ path, text })).map(({ rule }) => rule);
const inStyle = (text: string, path = 'packages/web/src/a.module.css') =>
  checkStyle({ path, text }).map(({ line }) => line);

const server = 'packages/server/src/features/tracks/tracks.service.ts';
const web = 'packages/web/src/panels/library/row.tsx';

test('limits a file to 400 lines', () => {
  assert.deepEqual(inFile('packages/dsp/src/a.ts', 'x\n'.repeat(400)), []);
  assert.deepEqual(inFile('packages/dsp/src/a.ts', 'x\n'.repeat(401)), ['length']);
});

test('refuses the names utils, helpers, common, shared and manager', () => {
  for (const name of ['utils', 'util', 'helpers', 'common', 'shared', 'manager']) {
    assert.deepEqual(inFile(`packages/dsp/src/${name}.ts`, ''), ['name']);
    assert.deepEqual(inFile(`packages/dsp/src/${name}/a.ts`, ''), ['name']);
  }
});

test('requires file names in kebab-case', () => {
  assert.deepEqual(inFile('packages/dsp/src/camelCase.ts', ''), ['name']);
  assert.deepEqual(inFile('packages/dsp/src/kebab-case.store.test.ts', ''), []);
});

// Written in two halves, so that this file passes the rule that it tests.
const later = ['TO', 'DO'].join('');
const broken = ['FIX', 'ME'].join('');

test('refuses comments that postpone work', () => {
  assert.deepEqual(inFile('packages/dsp/src/a.ts', `// ${later} later\n`), ['later']);
  assert.deepEqual(inFile('packages/dsp/src/a.ts', `// ${broken}\n`), ['later']);
});

test('allows reading the environment in one module only', () => {
  assert.deepEqual(inCode(server, 'process.env.PORT;'), ['environment']);
  assert.deepEqual(inCode('packages/separator/src/main.ts', 'process.env.PORT;'), ['environment']);
  assert.deepEqual(inCode('packages/server/src/platform/config.ts', 'process.env.PORT;'), []);
  assert.deepEqual(inCode('packages/server/src/a.test.ts', 'process.env.PORT;'), []);
});

test('allows reading the clock in one module only', () => {
  assert.deepEqual(inCode(server, 'Date.now(); new Date(); performance.now();'), ['clock', 'clock', 'clock']);
  assert.deepEqual(inCode(server, 'new Date(row.at);'), []);
  assert.deepEqual(inCode('packages/dsp/src/a.ts', 'Date.now();'), ['clock']);
  assert.deepEqual(inCode('packages/server/src/platform/clock.ts', 'Date.now();'), []);
  assert.deepEqual(inCode('packages/web/src/base/clock.ts', 'performance.now();'), []);
});

test('allows random values from one module only', () => {
  assert.deepEqual(inCode(server, 'Math.random(); crypto.randomUUID(); randomUUID();'), [
    'randomness',
    'randomness',
    'randomness',
  ]);
  assert.deepEqual(inCode('packages/dsp/src/a.ts', 'Math.random();'), ['randomness']);
  assert.deepEqual(inCode('packages/server/src/platform/ids.ts', 'crypto.randomUUID();'), []);
});

test('allows writing to the console in one module only', () => {
  assert.deepEqual(inCode(server, "console.log('x');"), ['console']);
  assert.deepEqual(inCode('packages/server/src/platform/log.ts', "console.log('x');"), []);
});

test("allows React's lazy in one module only", () => {
  assert.deepEqual(inCode(web, "import { lazy } from 'react';"), ['lazy']);
  assert.deepEqual(inCode(web, "import { lazy as part } from 'react';"), ['lazy']);
  assert.deepEqual(inCode(web, "import * as React from 'react'; React.lazy(load);"), ['lazy']);
  assert.deepEqual(inCode(web, "import { lazy } from '../../ui/lazy.ts';"), []);
  assert.deepEqual(inCode('packages/web/src/ui/lazy.ts', "import { lazy as reactLazy } from 'react';"), []);
});

test('requires an owner for listeners, timers and observers', () => {
  assert.deepEqual(inCode(web, "window.addEventListener('x', f);"), ['owner']);
  assert.deepEqual(inCode(web, 'setTimeout(f, 1); window.setInterval(f, 1); requestAnimationFrame(f);'), [
    'owner',
    'owner',
    'owner',
  ]);
  assert.deepEqual(inCode(web, 'new ResizeObserver(f);'), ['owner']);
  assert.deepEqual(inCode('packages/audio/src/base/scope.ts', "target.addEventListener('x', f);"), []);
  assert.deepEqual(inCode('packages/web/src/ui/use-size.ts', 'new ResizeObserver(f);'), []);
  assert.deepEqual(inCode(server, 'setTimeout(f, 1);'), []);
  assert.deepEqual(inCode(web, 'scope.setTimeout(f, 1);'), []);
});

test('allows colours only in the tokens', () => {
  assert.deepEqual(
    inStyle('.a {\n  color: #fff;\n  background: rgb(0 0 0);\n  fill: white;\n}\n'),
    [2, 3, 4],
  );
  assert.deepEqual(inStyle('/* #fff: no */\n.a { color: var(--text); white-space: nowrap; }\n'), []);
  assert.deepEqual(inStyle(':root { --text: #eceef2; }', 'packages/web/src/styles/tokens.css'), []);
  assert.deepEqual(inCode(web, "const c = '#0d0e11';"), ['colour']);
  assert.deepEqual(inCode(web, "const link = '#library';"), []);
});

test('allows SQL only in stores', () => {
  assert.deepEqual(inCode(server, "db.selectFrom('tracks').selectAll(); sql`select 1`;"), ['sql', 'sql']);
  assert.deepEqual(inCode(server.replace('service', 'store'), "db.selectFrom('tracks');"), []);
});

test('refuses skipped, postponed and exclusive tests', () => {
  const path = 'packages/dsp/src/a.test.ts';
  for (const way of ['only', 'skip', later.toLowerCase()]) {
    assert.deepEqual(inCode(path, `test.${way}('x', f);`), ['skipped-test'], way);
    assert.deepEqual(inCode(path, `test('x', { ${way}: true }, f);`), ['skipped-test'], way);
  }
  assert.deepEqual(inCode(path, 't.skip();'), ['skipped-test']);
  assert.deepEqual(inCode(path, "test('x', f); rows.skip(3);"), []);
});

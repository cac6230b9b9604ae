import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from '../command.ts';
import { checkThirdPartyCode, listSources } from './third-party-code.ts';

const linesIn = (path: string, text: string) => checkThirdPartyCode({ path, text }).map(({ line }) => line);

// Written in parts, so that this file passes the rule that it tests.
const copyright = ['Copy', 'right'].join('');
const granted = ['Permission is hereby', 'granted, free of charge'].join(' ');

test('refuses files with a copyright or licence banner', () => {
  assert.deepEqual(
    linesIn('packages/dsp/native/decoder.h', `#pragma once\n/* ${copyright} (c) 2020 A. Body */`),
    [2],
  );
  assert.deepEqual(linesIn('packages/web/src/chart.ts', `/* ${granted} */`), [1]);
  assert.deepEqual(linesIn('packages/web/src/chart.ts', `// ${granted.replace('by ', 'by\n// ')}`), [1]);
  assert.deepEqual(linesIn('tools/x.py', ['# SPDX-License', 'Identifier: ISC'].join('-')), [1]);
  assert.deepEqual(linesIn('tools/x.c', ['/* Released under', 'the MIT licence. */'].join(' ')), [1]);
});

test('refuses licence files outside the root', () => {
  assert.deepEqual(linesIn('packages/dsp/native/LICENSE', 'text'), [1]);
  assert.deepEqual(linesIn('packages/web/COPYING.txt', 'text'), [1]);
});

test("allows banners and licences in folders of weights and fonts, and in the project's licence", () => {
  for (const path of [
    'packages/dsp/src/notes/weights/NOTICE',
    'packages/web/fonts/LICENSE',
    'LICENSE',
    'NOTICE',
  ])
    assert.deepEqual(linesIn(path, `${copyright} 2022 A. Body`), []);
  assert.deepEqual(linesIn('packages/dsp/src/weights-sum.ts', `// ${copyright} 2022 A. Body`), [1]);
});

test('allows code that is about licences', () => {
  assert.deepEqual(
    linesIn('packages/server/src/a.ts', 'const reason = /copyright|drm/i; // a notice of copyright'),
    [],
  );
});

test('reads the sources of every workspace, in every language', () => {
  const sources = listSources(root);
  for (const path of ['LICENSE', 'packages/dsp/native/notes.c', 'packages/web/index.html', 'tools/run.mjs'])
    assert.ok(sources.includes(path), path);
  assert.ok(!sources.some((path) => path.includes('node_modules/')));
});

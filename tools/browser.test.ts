import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Stop } from './bootstrap/say.mjs';
import { findBrowser, findHeadlessShell } from './browser.ts';

test('throws if CHROMIUM_PATH cannot be run, instead of using another browser', (t) => {
  const before = process.env.CHROMIUM_PATH;
  t.after(() => {
    if (before === undefined) delete process.env.CHROMIUM_PATH;
    else process.env.CHROMIUM_PATH = before;
  });
  process.env.CHROMIUM_PATH = '/nowhere/chromium';
  assert.throws(
    () => findBrowser(),
    (error) => error instanceof Stop && /CHROMIUM_PATH .*\/nowhere\/chromium/.test(error.message),
  );
  process.env.CHROMIUM_PATH = process.execPath;
  assert.equal(findBrowser(), process.execPath);
  assert.equal(findHeadlessShell(), process.execPath);
});

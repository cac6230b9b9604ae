import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { controlsPage } from './testing/controls-page.ts';

test('docs/controls.md lists the current controls (write it with write-controls-page.ts)', async () => {
  const written = await readFile(new URL('../../../docs/controls.md', import.meta.url), 'utf8');
  assert.equal(written, controlsPage());
});

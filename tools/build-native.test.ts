import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compiledPath, hashSources, programNames } from './build-native.ts';

test('every compiled program matches the hash of its source', () => {
  assert.ok(programNames.length > 0);
  for (const name of programNames) {
    const text = readFileSync(compiledPath(name), 'utf8');
    assert.ok(
      text.includes(`// sources: ${hashSources(name)}\n`),
      `${name} is older than packages/dsp/native: run tools/build-native.ts`,
    );
  }
});

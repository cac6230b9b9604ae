import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compiledPath, decoderNames, hashSources } from './build-native.ts';

test('every compiled decoder was made from the sources that stand beside it', () => {
  assert.ok(decoderNames.length > 0);
  for (const name of decoderNames) {
    const text = readFileSync(compiledPath(name), 'utf8');
    assert.ok(
      text.includes(`// sources: ${hashSources(name)}\n`),
      `${name} is older than packages/dsp/native: run tools/build-native.ts`,
    );
  }
});

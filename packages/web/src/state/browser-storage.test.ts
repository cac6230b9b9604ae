import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { parseStored, readStored, writeStored } from './browser-storage.ts';

const schema = z.object({ version: z.literal(1), size: z.number() });

test('parses stored text of its format', () => {
  assert.deepEqual(parseStored('{"version":1,"size":3}', schema), { version: 1, size: 3 });
});

test('text of another format or version counts as none', () => {
  for (const text of [undefined, null, '', '{', '[]', '{"version":2,"size":3}', '{"version":1}'])
    assert.equal(parseStored(text, schema), null, String(text));
});

test('works without storage', () => {
  writeStored('stem-studio.test', '{}');
  assert.equal(readStored('stem-studio.test'), undefined);
});

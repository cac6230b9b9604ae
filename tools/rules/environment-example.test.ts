import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../command.ts';

test('.env.example lists exactly what the configuration reads', () => {
  const config = readFileSync(path.join(root, 'packages/server/src/platform/config.ts'), 'utf8');
  // NODE_ENV is Node's own: it is set by whoever develops, not by a deployment.
  const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)]
    .map(([, name]) => name)
    .filter((name) => name !== 'NODE_ENV');
  const listed = [...readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name]) => name,
  );
  assert.ok(read.length > 0);
  assert.deepEqual(new Set(listed), new Set(read));
});

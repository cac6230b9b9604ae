import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../command.ts';

test('.env.example lists exactly the declared settings', () => {
  const files = globSync('packages/server/src/{platform,features/*}/*.settings.ts', { cwd: root });
  // Matches `setting('PORT', …)`, `optionalSetting(`, `folderSetting(`, and a setting in full: `name: 'DATA_DIR'`.
  const declaration = /(?:[sS]etting\(|\bname:)\s*'([A-Z][A-Z_]+)'/g;
  const read = files.flatMap((file) =>
    [...readFileSync(path.join(root, file), 'utf8').matchAll(declaration)].map(([, name]) => name),
  );
  const listed = [...readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^([A-Z_]+)=/gm)].map(
    ([, name]) => name,
  );
  assert.ok(read.length > 0);
  assert.deepEqual(new Set(listed), new Set(read));
});

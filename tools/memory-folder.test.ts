import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { memoryFolder } from './memory-folder.ts';

test('returns a folder of this account, or null without the file system or if another user owns the name', (t) => {
  const fileSystem = mkdtempSync(path.join(tmpdir(), 'stem-studio-memory-'));
  t.after(() => rmSync(fileSystem, { recursive: true, force: true }));
  assert.equal(memoryFolder(path.join(fileSystem, 'missing'), 0), null);
  assert.equal(memoryFolder(fileSystem, Number.MAX_SAFE_INTEGER), null);
  const folder = memoryFolder(fileSystem, 0);
  // Only Linux has this file system.
  assert.equal(folder !== null, process.platform === 'linux');
  if (folder === null) return;
  assert.ok(lstatSync(folder).isDirectory());
  assert.equal(memoryFolder(fileSystem, 0), folder);
  rmSync(folder, { recursive: true });
  symlinkSync('/etc', folder);
  assert.equal(memoryFolder(fileSystem, 0), null);
});

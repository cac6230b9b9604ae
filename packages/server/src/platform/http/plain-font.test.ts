import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../../testing/clean-up.ts';
import { fontFaces } from './plain-font.ts';
import { webDistFolder } from './web-files.ts';

test('names the files of the typeface that the built page contains', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plain-font-'));
  cleanUp(t, () => rm(folder, { recursive: true }));
  assert.equal(fontFaces(folder), '', 'a page that is not built has no files');
  await mkdir(join(folder, 'assets'));
  for (const subset of ['latin', 'latin-ext', 'greek'])
    await writeFile(join(folder, 'assets', `inter-${subset}-wght-normal-Ab_c-1.woff2`), '');
  const rules = fontFaces(folder);
  assert.deepEqual(
    Array.from(rules.matchAll(/url\("([^"]+)"\)/g), ([, url]) => url),
    ['/assets/inter-latin-ext-wght-normal-Ab_c-1.woff2', '/assets/inter-latin-wght-normal-Ab_c-1.woff2'],
  );
});

test('uses the character ranges of the files', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plain-font-'));
  cleanUp(t, () => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'assets'));
  for (const subset of ['latin', 'latin-ext'])
    await writeFile(join(folder, 'assets', `inter-${subset}-wght-normal-abc.woff2`), '');
  const original = await readFile(
    join(webDistFolder, '../../../node_modules', '@fontsource-variable', 'inter', 'wght.css'),
    'utf8',
  );
  const ranges = Array.from(
    fontFaces(folder).matchAll(/unicode-range: ([^;]+);/g),
    ([, range]) => range ?? '',
  );
  assert.equal(ranges.length, 2);
  for (const range of ranges) assert.ok(original.includes(range), range);
});

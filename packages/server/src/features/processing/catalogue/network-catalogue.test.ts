import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../../../testing/library-steps.ts';
import { CatalogueError, downloadSize, findCatalogueEntry, readCatalogue } from './network-catalogue.ts';

const builtIn = { modelCatalogue: null };

test('the catalogue names Spleeter and Demucs with sizes, hashes and licences', async () => {
  const entries = await readCatalogue(builtIn);
  assert.deepEqual(
    entries.map(({ name, serves }) => [name, serves[0]]),
    [
      ['spleeter_4stems', 'alt_4'],
      ['spleeter_5stems', 'hybrid_6'],
      ['htdemucs', 'hybrid_4'],
      ['htdemucs_fp16weights', 'hybrid_4'],
      ['htdemucs_ft', 'hybrid_4_ft'],
      ['htdemucs_ft_fp16weights', 'hybrid_4_ft'],
      ['htdemucs_6s', 'hybrid_6'],
      ['htdemucs_6s_fp16weights', 'hybrid_6'],
    ],
  );
  for (const entry of entries) {
    const isDemucs = entry.name.startsWith('htdemucs');
    assert.equal(entry.licence.must_accept, isDemucs);
    if (isDemucs) assert.match(entry.licence.notice, /provides these weights for scientific purposes only/);
    assert.equal(downloadSize(entry).isExact, isDemucs);
  }
  const hashes = entries.flatMap(({ files }) => files.map(({ sha256 }) => sha256));
  assert.equal(new Set(hashes).size, hashes.length, 'no two files may have the same hash');
});

test('rejects a catalogue of the operator that breaks a rule and names the rule', async (t) => {
  const folder = await makeFolder(t);
  const path = join(folder, 'catalogue.json');
  const text = await readFile(new URL('./network-catalogue.json', import.meta.url), 'utf8');
  const [spleeter, , demucs] = JSON.parse(text) as Record<string, unknown>[];
  const cases: readonly (readonly [unknown, RegExp])[] = [
    ['{', /cannot be read/],
    [[{ ...demucs, name: 'hybrid_4' }], /must not be that of a model/],
    [[{ ...demucs, serves: ['hybrid_4_ft'] }], /hybrid_4_ft takes 4 files/],
    [[{ ...demucs, serves: ['hybrid_4', 'hybrid_6'] }], /equal numbers of stems/],
    [
      [{ ...demucs, files: [{ url: 'http://example.org/a', bytes: 1, sha256: 'ab' }] }],
      /https address.*64 hex/,
    ],
    [[{ ...spleeter, spleeter: undefined }], /spleeter/],
    [[demucs, demucs], /name each network once/],
  ];
  for (const [content, rule] of cases) {
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
    await assert.rejects(
      readCatalogue({ modelCatalogue: path }),
      (error: Error) => error instanceof CatalogueError && rule.test(error.message),
      String(rule),
    );
  }
  await writeFile(path, JSON.stringify([demucs]));
  assert.equal((await findCatalogueEntry({ modelCatalogue: path }, 'htdemucs'))?.name, 'htdemucs');
  assert.equal(await findCatalogueEntry({ modelCatalogue: path }, 'spleeter_4stems'), undefined);
});

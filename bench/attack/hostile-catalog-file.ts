import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { flacWithComments } from '@stem-studio/server/testing/hostile-files';
import type { Arena } from './arena.ts';

/** Searches a catalog folder with a hostile file for the first time: a FLAC file with 2,097,152 Vorbis comments. */
export async function hostileCatalogFile(arena: Arena): Promise<string> {
  const context = await arena.open();
  const folder = join(context.folder, 'catalog');
  await mkdir(folder);
  await writeFile(join(folder, 'song.flac'), flacWithComments(2_097_152));
  const target = await arena.start(context, { CATALOG_FOLDER: folder });
  const attacker = await target.register();
  const startedMs = performance.now();
  const { status, body } = await attacker.call(searchCatalog, { query: { q: 'song' } });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  if (status === 0) return `the first search had no reply within ${seconds} s`;
  return `the first search was answered with ${status} after ${seconds} s: ${body?.data.length ?? 0} found`;
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { insertVanishedFiles } from '@stem-studio/server/testing/planted-rows';
import type { Arena } from './arena.ts';

const count = 70_000;

/** Searches a catalog folder in which 70,000 indexed files are missing. */
export async function vanishedFiles(arena: Arena): Promise<string> {
  const context = await arena.open();
  const folder = join(context.folder, 'catalog');
  await mkdir(folder);
  await insertVanishedFiles(context, count);
  const target = await arena.start(context, { CATALOG_FOLDER: folder });
  const attacker = await target.register();
  const first = await attacker.call(searchCatalog, { query: { q: 'gone' } });
  const again = await attacker.call(searchCatalog, { query: { q: 'gone' } });
  const left = await context.db.selectFrom('catalog_files').select('path').execute();
  return `${count} vanished files: searches answered with ${first.status} and ${again.status}, ${left.length} rows left`;
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { sql } from 'kysely';
import type { Arena } from './arena.ts';

const count = 70_000;

/** Searches a catalog folder of which 70,000 known files are gone. */
export async function vanishedFiles(arena: Arena): Promise<string> {
  const context = await arena.open();
  const folder = join(context.folder, 'catalog');
  await mkdir(folder);
  await sql`insert into catalog_files (catalog_id, path, bytes, modified_ms, title, artist, album, disc_number,
      track_number, genre, duration_ms, has_cover)
    select lpad(n::text, 22, '0'), 'gone/' || n || '.wav', 1, 1, 'Gone ' || n, '', '', 0, 0, '', 1000, false
    from generate_series(1, ${count}) as n`.execute(context.db);
  const target = await arena.start(context, { CATALOG_FOLDER: folder });
  const attacker = await target.register();
  const first = await attacker.call(searchCatalog, { query: { q: 'gone' } });
  const again = await attacker.call(searchCatalog, { query: { q: 'gone' } });
  const { rows } = await sql<{ left: number }>`select count(*)::int as left from catalog_files`.execute(
    context.db,
  );
  return `${count} vanished files: searches answered with ${first.status} and ${again.status}, ${rows[0]?.left} rows left`;
}

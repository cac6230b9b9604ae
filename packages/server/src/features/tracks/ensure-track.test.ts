import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { openLibrary } from '../../testing/library-steps.ts';
import { untilSomebodyWaits } from '../../testing/waiting-for-lock.ts';

test('creates a new track for an import during the purge of the old one', async (t) => {
  const library = await openLibrary(t);
  const { db, clock } = library.context;
  const body = { url: await library.linkOf('a') };
  const first = (await library.ask(importCatalog, { body })).body.data.items[0];
  const id = first?.track_id ?? '';
  await library.ask(deleteTrack, { params: { id } });
  const importing = await db.transaction().execute(async (tx) => {
    // Imitates the purge: locks the rows first, then deletes them.
    await tx.selectFrom('tracks').select('id').where('id', '=', id).forUpdate().execute();
    const answer = library.ask(importCatalog, { body });
    await untilSomebodyWaits(db);
    await tx.deleteFrom('tracks').where('id', '=', id).where('deleted_at', '<=', clock.now()).execute();
    return { answer };
  });
  const { status, body: again } = await importing.answer;
  assert.deepEqual([status, again.data.items[0]?.existing], [201, false]);
  assert.notEqual(again.data.items[0]?.track_id, id);
});

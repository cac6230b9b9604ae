import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteTrack, listTracks, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { sql } from 'kysely';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { addUpTrackCounts } from './track-counts.store.ts';

const total = async (library: LibraryApp) =>
  (await library.ask(listTracks, { query: { page_size: 1 } })).body.meta.total_count;

test('total_count equals the number of tracks after any additions and deletions', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { context, user } = library;
  assert.equal(await total(library), 0);
  const ids = [];
  for (const title of ['a', 'b', 'c']) ids.push(await insertTestTrack(context, user.id, title));
  await insertTestTrack(context, (await library.registerUser()).id, 'not ours');
  assert.equal(await total(library), 3);
  const [first, second] = ids as [string, string];
  await library.ask(deleteTrack, { params: { id: first } });
  await library.ask(deleteTrack, { params: { id: second } });
  assert.equal(await total(library), 1);
  await library.ask(restoreTrack, { params: { id: second } });
  assert.equal(await total(library), 2);
  await addUpTrackCounts(context.db);
  assert.equal(await total(library), 2);
  clock.advance(700_000);
  await library.sweep();
  assert.equal(await total(library), 2);
  assert.equal((await library.ask(listTracks, { query: { page: 99 } })).body.meta.total_count, 2);
});

test('merging the counts while tracks are added loses none and counts none twice', async (t) => {
  const library = await openLibrary(t);
  const { db } = library.context;
  await Promise.all([
    ...Array.from({ length: 40 }, () => insertTestTrack(library.context, library.user.id)),
    ...Array.from({ length: 10 }, () => addUpTrackCounts(db)),
  ]);
  assert.equal(await total(library), 40);
  await addUpTrackCounts(db);
  assert.equal((await db.selectFrom('track_counts').selectAll().execute()).length, 1);
  assert.equal(await total(library), 40);
});

test('no count remains of a user who is deleted with all tracks', async (t) => {
  const library = await openLibrary(t);
  const { context, user } = library;
  await insertTestTrack(context, user.id);
  await insertTestTrack(context, user.id);
  await sql`delete from users where id = ${user.id}`.execute(context.db);
  await addUpTrackCounts(context.db);
  assert.deepEqual(await context.db.selectFrom('track_counts').selectAll().execute(), []);
});

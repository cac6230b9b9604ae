import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicOf } from '@stem-studio/contract/channel';
import {
  createCrate,
  deleteCrate,
  listCrates,
  listCrateTracks,
  putCrateTracks,
  removeCrateTracks,
  updateCrate,
} from '@stem-studio/contract/endpoints/crates';
import {
  deleteTrack,
  getTrack,
  listTrackIds,
  listTracks,
  restoreTrack,
  updateTrack,
} from '@stem-studio/contract/endpoints/tracks';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { eventually } from '../../testing/eventually.ts';
import { type LibraryApp, listenTo, openLibrary } from '../../testing/library-steps.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

async function openWithTracks(t: Parameters<typeof openLibrary>[0], titles: readonly string[]) {
  const library = await openLibrary(t);
  const ids: string[] = [];
  for (const title of titles) ids.push(await insertTestTrack(library.context, library.user.id, title));
  return { library, ids };
}

const titlesIn = async (library: LibraryApp, id: string, query: Record<string, number> = {}) =>
  (await library.ask(listCrateTracks, { params: { id }, query })).body.data
    .map(({ title }) => title)
    .join(' ');

test('creates, renames, moves and deletes crates', async (t) => {
  const { library } = await openWithTracks(t, []);
  const received = listenTo(library.context, topicOf(libraryChannel, { user_id: library.user.id }));
  const ids: string[] = [];
  for (const name of ['Openers', ' Peak ', 'Closers']) {
    const { status, body } = await library.ask(createCrate, { body: { name } });
    assert.deepEqual([status, body.data.track_count, body.data.query], [201, 0, null]);
    ids.push(body.data.id);
  }
  const names = async () => (await library.ask(listCrates)).body.data.map(({ name }) => name).join(' ');
  assert.equal(await names(), 'Openers Peak Closers');
  const moved = await library.ask(updateCrate, { params: { id: ids[2] ?? '' }, body: { position: 0 } });
  assert.deepEqual([moved.body.data.position, await names()], [0, 'Closers Openers Peak']);
  await library.ask(updateCrate, { params: { id: ids[0] ?? '' }, body: { name: 'Warm-up' } });
  assert.equal(await names(), 'Closers Warm-up Peak');
  assert.equal((await library.ask(deleteCrate, { params: { id: ids[2] ?? '' } })).status, 204);
  const left = (await library.ask(listCrates)).body.data;
  assert.deepEqual(
    left.map(({ name, position }) => [name, position]),
    [
      ['Warm-up', 0],
      ['Peak', 1],
    ],
  );
  await eventually(
    () => received.filter(({ event }) => event === 'crates_updated').length,
    (count) => count === 6,
  );
  const nameless = await library.ask(createCrate, { body: { name: ' ' } });
  assert.deepEqual([nameless.status, nameless.error.error], [422, 'name must not be empty']);
});

test('adds, moves and removes tracks, and keeps the order across the trash', async (t) => {
  const { library, ids } = await openWithTracks(t, ['A', 'B', 'C', 'D']);
  const [a = '', b = '', c = '', d = ''] = ids;
  const { id } = (await library.ask(createCrate, { body: { name: 'Set' } })).body.data;
  const put = (track_ids: string[], position?: number) =>
    library.ask(putCrateTracks, {
      params: { id },
      body: { track_ids, ...(position !== undefined && { position }) },
    });
  assert.equal((await put([c, a])).body.data.track_count, 2);
  await put([d, b, d], 1);
  assert.equal(await titlesIn(library, id), 'C D B A');
  await put([a], 0);
  assert.equal(await titlesIn(library, id), 'A C D B');
  assert.equal(await titlesIn(library, id, { page: 2, page_size: 3 }), 'B');
  await library.ask(deleteTrack, { params: { id: c } });
  assert.equal(await titlesIn(library, id), 'A D B');
  assert.equal((await library.ask(listCrates)).body.data[0]?.track_count, 3);
  await library.ask(restoreTrack, { params: { id: c } });
  assert.equal(await titlesIn(library, id), 'A C D B');
  const body = { track_ids: [d, a] };
  assert.equal((await library.ask(removeCrateTracks, { params: { id }, body })).body.data.track_count, 2);
  assert.equal(await titlesIn(library, id), 'C B');
  await library.ask(deleteCrate, { params: { id } });
  assert.equal((await library.ask(getTrack, { params: { id: b } })).status, 200);
});

test('hides crates and tracks of other users and changes nothing with them', async (t) => {
  const { library, ids } = await openWithTracks(t, ['Mine']);
  const other = await library.registerUser();
  const theirs = await insertTestTrack(library.context, other.id);
  const { id } = (await library.ask(createCrate, { body: { name: 'Set' } })).body.data;
  const refused = await library.ask(putCrateTracks, {
    params: { id },
    body: { track_ids: [ids[0] ?? '', theirs] },
  });
  assert.deepEqual([refused.status, await titlesIn(library, id)], [404, '']);
  assert.deepEqual((await library.ask(listCrates, {}, other)).body.data, []);
  for (const spec of [updateCrate, deleteCrate, listCrateTracks] as const)
    assert.equal((await library.ask(spec, { params: { id } }, other)).status, 404);
});

test('a smart crate finds its tracks by its search and takes no others', async (t) => {
  const { library, ids } = await openWithTracks(t, ['A', 'B', 'C']);
  const [a = '', b = ''] = ids;
  for (const id of [a, b]) await library.ask(updateTrack, { params: { id }, body: { rating: 4 } });
  const made = (await library.ask(createCrate, { body: { name: 'Best', query: 'rating:>=4' } })).body.data;
  assert.deepEqual([made.query, made.track_count], ['rating:>=4', null]);
  assert.equal(await titlesIn(library, made.id), 'B A');
  await library.ask(updateTrack, { params: { id: b }, body: { rating: 1 } });
  assert.equal(await titlesIn(library, made.id), 'A');
  await library.ask(updateCrate, { params: { id: made.id }, body: { query: 'rating:<4' } });
  assert.equal(await titlesIn(library, made.id), 'C B');
  const put = await library.ask(putCrateTracks, { params: { id: made.id }, body: { track_ids: [a] } });
  assert.deepEqual([put.status, put.error.code], [422, 'CRATE_IS_SMART']);
});

test('searches and sorts within a crate, and lists it in its own order by default', async (t) => {
  const { library, ids } = await openWithTracks(t, ['Amber', 'Birch', 'Cobalt', 'Dune']);
  const [amber = '', birch = '', cobalt = ''] = ids;
  const { id } = (await library.ask(createCrate, { body: { name: 'Set' } })).body.data;
  await library.ask(putCrateTracks, { params: { id }, body: { track_ids: [cobalt, amber, birch] } });
  const listed = async (query: Record<string, string | number>) => {
    const { data, meta } = (await library.ask(listTracks, { query: { crate: id, ...query } })).body;
    return `${data.map(({ title }) => title).join(' ')} of ${meta.total_count}`;
  };
  assert.equal(await listed({}), 'Cobalt Amber Birch of 3');
  assert.equal(await listed({ sort: '-position' }), 'Birch Amber Cobalt of 3');
  assert.equal(await listed({ sort: 'title' }), 'Amber Birch Cobalt of 3');
  assert.equal(await listed({ sort: 'fit', fit_key: 'A minor' }), 'Cobalt Birch Amber of 3');
  assert.equal(await listed({ q: 'b' }), 'Cobalt Amber Birch of 3');
  assert.equal(await listed({ q: 'ir' }), 'Birch of 1');
  assert.equal(await listed({ page: 2, page_size: 2 }), 'Birch of 3');
  assert.equal(await listed({ page: 9 }), ' of 3');
  await library.ask(deleteTrack, { params: { id: amber } });
  assert.equal(await listed({}), 'Cobalt Birch of 2');
  const listedIds = await library.ask(listTrackIds, { query: { crate: id, first: 1 } });
  assert.deepEqual(listedIds.body.data, [birch]);
  // A position counts the tracks that are listed.
  await library.ask(putCrateTracks, { params: { id }, body: { track_ids: [ids[3] ?? ''], position: 1 } });
  await library.ask(restoreTrack, { params: { id: amber } });
  assert.equal(await listed({}), 'Cobalt Amber Dune Birch of 4');
});

test('searches within a smart crate, and refuses the order of a crate outside of one', async (t) => {
  const { library, ids } = await openWithTracks(t, ['Amber', 'Birch', 'Cobalt']);
  for (const id of ids) await library.ask(updateTrack, { params: { id }, body: { rating: 4 } });
  const body = { name: 'Best', query: 'rating:>=4 -title:"cob' };
  const { id } = (await library.ask(createCrate, { body })).body.data;
  const titles = async (query: Record<string, string>) =>
    (await library.ask(listTracks, { query: { crate: id, ...query } })).body.data
      .map(({ title }) => title)
      .join(' ');
  assert.equal(await titles({}), 'Birch Amber');
  assert.equal(await titles({ sort: 'position', q: 'b' }), 'Birch Amber');
  assert.equal(await titles({ sort: '-position' }), 'Amber Birch');
  assert.equal(await titles({ q: 'irch' }), 'Birch');
  const other = await library.registerUser();
  for (const spec of [listTracks, listTrackIds] as const) {
    const query = { sort: 'position' } as const;
    const refused = await library.ask(spec, { query });
    assert.deepEqual([refused.status, Object.keys(refused.error.details ?? {})], [422, ['sort']]);
    assert.equal((await library.ask(spec, { query: { crate: id } }, other)).status, 404);
  }
});

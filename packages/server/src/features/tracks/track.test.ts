import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import {
  deleteTrack,
  getTrack,
  listTracks,
  restoreTrack,
  updateTrack,
} from '@stem-studio/contract/endpoints/tracks';
import { openLibrary } from '../../testing/library-steps.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { recordDetected } from './track-results.service.ts';

test('changes the editable fields of a track and keeps the others', async (t) => {
  const library = await openLibrary(t);
  const id = await insertTestTrack(library.context, library.user.id);
  const body = { title: ' New ', bpm: 120.456, key: 'A minor', tags: [' late ', 'slow'] };
  const { data } = (await library.ask(updateTrack, { params: { id }, body })).body;
  assert.deepEqual(
    [data.title, data.artist, data.bpm, data.key, data.camelot, data.tags],
    ['New', 'Somebody', 120.46, 'A minor', '8A', ['late', 'slow']],
  );
  const cleared = await library.ask(updateTrack, { params: { id }, body: { bpm: null, key: '', tags: [] } });
  assert.deepEqual(
    [cleared.body.data.bpm, cleared.body.data.key, cleared.body.data.camelot, cleared.body.data.tags],
    [null, '', '', []],
  );
  assert.deepEqual((await library.ask(getTrack, { params: { id } })).body.data, cleared.body.data);
});

test('stores a repeated tag once, in its first spelling', async (t) => {
  const library = await openLibrary(t);
  const id = await insertTestTrack(library.context, library.user.id);
  const body = { tags: ['Live', 'late', 'live', 'late ', 'LATE'] };
  const { data } = (await library.ask(updateTrack, { params: { id }, body })).body;
  assert.deepEqual(data.tags, ['Live', 'late']);
});

test('rejects wrong values and unknown fields with 422 and details, and invalid JSON with 400', async (t) => {
  const library = await openLibrary(t);
  const id = await insertTestTrack(library.context, library.user.id);
  const wrong: readonly [object, string][] = [
    [{ title: '' }, 'title'],
    [{ title: ' ' }, 'title'],
    [{ title: 'x'.repeat(301) }, 'title'],
    [{ artist: null }, 'artist'],
    [{ bpm: 19 }, 'bpm'],
    [{ bpm: 401 }, 'bpm'],
    [{ bpm: '120' }, 'bpm'],
    [{ key: 'Bb minor' }, 'key'],
    [{ key: 'E# major' }, 'key'],
    [{ key: 'a minor' }, 'key'],
    [{ tags: 'late' }, 'tags'],
    [{ tags: [''] }, 'tags.0'],
    [{ tags: ['ok', 'x'.repeat(51)] }, 'tags.1'],
    [{ tags: Array.from({ length: 51 }, (_, index) => `tag ${index}`) }, 'tags'],
    [{ duration: 3 }, 'duration'],
    [{ user_id: 2 }, 'user_id'],
  ];
  const before = (await library.ask(getTrack, { params: { id } })).body.data;
  for (const [body, field] of wrong) {
    const reply = await library.ask(updateTrack, { params: { id }, body });
    assert.equal(reply.status, 422, JSON.stringify(body));
    assert.deepEqual(Object.keys(reply.error.details ?? {}), [field]);
  }
  const broken = await library.app.inject({
    method: 'PATCH',
    url: `/api/tracks/${id}`,
    headers: { ...library.user.headers, 'content-type': 'application/json' },
    payload: '{"title":',
  });
  assert.deepEqual([broken.statusCode, broken.json().code], [400, 'BAD_REQUEST']);
  assert.deepEqual((await library.ask(getTrack, { params: { id } })).body.data, before);
});

test('hides tracks of other users, and lets an admin read but not change them', async (t) => {
  const library = await openLibrary(t);
  const id = await insertTestTrack(library.context, library.user.id);
  const stranger = await library.registerUser();
  const admin = await library.registerUser('admin');
  const changes: readonly [EndpointSpec, object?][] = [
    [updateTrack, { title: 'Mine' }],
    [deleteTrack],
    [restoreTrack],
  ];
  for (const [spec, body] of changes) {
    for (const as of [stranger, admin]) {
      const reply = await library.ask(spec, { params: { id }, body }, as);
      assert.deepEqual([reply.status, reply.error.error], [404, 'track not found'], spec.path);
    }
  }
  assert.equal((await library.ask(getTrack, { params: { id } }, stranger)).status, 404);
  assert.equal((await library.ask(getTrack, { params: { id } }, admin)).body.data.id, id);
  for (const wrong of ['1', 'x', 'null', '00000000-0000-7000-8000-000000000000'])
    assert.equal((await library.ask(getTrack, { params: { id: wrong } })).status, 404, wrong);
});

test('hides a deleted track at once and restores it within 30 days', async (t) => {
  const clock = createStillClock();
  const library = await openLibrary(t, { clock });
  const id = await insertTestTrack(library.context, library.user.id);
  const live = await library.ask(restoreTrack, { params: { id } });
  assert.deepEqual([live.status, live.error.code], [422, 'TRACK_NOT_RESTORABLE']);

  assert.equal((await library.ask(deleteTrack, { params: { id } })).status, 204);
  assert.equal((await library.ask(getTrack, { params: { id } })).status, 404);
  assert.equal((await library.ask(updateTrack, { params: { id }, body: { title: 'x' } })).status, 404);
  assert.equal((await library.ask(deleteTrack, { params: { id } })).status, 404);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 0);

  clock.advance(30 * 86_400 - 1);
  assert.equal((await library.ask(restoreTrack, { params: { id } })).body.data.id, id);
  assert.equal((await library.ask(listTracks)).body.meta.total_count, 1);
  await library.ask(deleteTrack, { params: { id } });
  clock.advance(30 * 86_400 + 1);
  assert.equal((await library.ask(restoreTrack, { params: { id } })).status, 404);
});

test('keeps a tempo or a key set by the user over analysis results', async (t) => {
  const library = await openLibrary(t);
  const id = await insertTestTrack(library.context, library.user.id);
  const { context } = library;
  const analyze = (bpm: number, key: string) =>
    context.db.transaction().execute((tx) => recordDetected(context, tx, id, { bpm, key }));
  const shown = async () => {
    const { bpm, key } = (await library.ask(getTrack, { params: { id } })).body.data;
    return [bpm, key];
  };
  await analyze(120, 'C major');
  assert.deepEqual(await shown(), [120, 'C major']);
  await library.ask(updateTrack, { params: { id }, body: { bpm: 60 } });
  await analyze(121, 'G major');
  assert.deepEqual(await shown(), [60, 'G major']);
  await library.ask(updateTrack, { params: { id }, body: { bpm: null, key: 'A minor' } });
  await analyze(122, 'D major');
  assert.deepEqual(await shown(), [122, 'A minor']);
});

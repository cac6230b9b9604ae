import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { listPlayedSets, recordPlay } from '@stem-studio/contract/endpoints/plays';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { getTrack, listTracks, updateTrack, updateTracks } from '@stem-studio/contract/endpoints/tracks';
import { openLibrary } from '../../testing/library-steps.ts';
import { testFlac, testWav, writeTaggedFile } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

test('edits genre, year, rating and comment of a track and rejects values out of range', async (t) => {
  const library = await openLibrary(t);
  const id = await insertTestTrack(library.context, library.user.id);
  const body = { genre: ' Deep House ', year: 1999, rating: 4, comment: 'opens well' };
  const { data } = (await library.ask(updateTrack, { params: { id }, body })).body;
  assert.deepEqual([data.genre, data.year, data.rating, data.comment], ['Deep House', 1999, 4, 'opens well']);
  for (const [wrong, sentence] of [
    [{ rating: 6 }, 'rating must be at most 5'],
    [{ rating: 2.5 }, 'rating must be a whole number'],
    [{ year: 99 }, 'year must be at least 1000'],
    [{ genre: 'x'.repeat(101) }, 'genre must have at most 100 characters'],
    [{ play_count: 3 }, 'play_count is not a known field'],
  ] as const) {
    const refused = await library.ask(updateTrack, { params: { id }, body: wrong });
    assert.deepEqual([refused.status, refused.error.error], [422, sentence]);
  }
  const cleared = await library.ask(updateTrack, { params: { id }, body: { year: null } });
  assert.equal(cleared.body.data.year, null);
});

test('states loudness after an analysis and the model of the default separation', async (t) => {
  const library = await openLibrary(t);
  const track = await library.addTrack(await testWav({ seconds: 2 }));
  assert.deepEqual([track.loudness_lufs, track.separation_model, track.play_count], [null, null, 0]);
  await library.ask(analyze, { body: { track_id: track.id, features: ['energy'] } });
  await library.ask(separate, { body: { track_id: track.id, model: 'alt_4' } });
  await drainJobs(library.context);
  const { data } = (await library.ask(getTrack, { params: { id: track.id } })).body;
  assert.ok((data.loudness_lufs ?? 0) < 0);
  assert.equal(data.separation_model, 'alt_4');
  const found = (await library.ask(listTracks, { query: { q: 'model:alt_4' } })).body.data;
  assert.deepEqual(found, [data]);
});

test('changes several tracks at once, or none of them', async (t) => {
  const library = await openLibrary(t);
  const ids = [];
  for (const title of ['One', 'Two', 'Three'])
    ids.push(await insertTestTrack(library.context, library.user.id, title));
  const [one = '', two = '', three = ''] = ids;
  await library.ask(updateTrack, { params: { id: one }, body: { tags: ['Late', 'live'] } });
  const change = { genre: 'Techno', rating: 5, add_tags: ['late', 'peak'], remove_tags: ['LIVE'] };
  const changed = await library.ask(updateTracks, { body: { track_ids: [two, one, two], change } });
  assert.equal(changed.status, 200);
  assert.deepEqual(
    changed.body.data.map(({ title, genre, rating, tags }) => [title, genre, rating, tags]),
    [
      ['Two', 'Techno', 5, ['late', 'peak']],
      ['One', 'Techno', 5, ['Late', 'peak']],
    ],
  );
  const other = await library.registerUser();
  const theirs = await insertTestTrack(library.context, other.id);
  const refused = await library.ask(updateTracks, {
    body: { track_ids: [three, theirs], change: { rating: 1 } },
  });
  assert.deepEqual([refused.status, refused.error.code], [404, 'NOT_FOUND']);
  assert.equal((await library.ask(getTrack, { params: { id: three } })).body.data.rating, 0);
  for (const body of [
    { track_ids: [], change: { rating: 1 } },
    { track_ids: [one], change: {} },
  ])
    assert.equal((await library.ask(updateTracks, { body })).status, 422);
});

test('an upload takes year and comment from the tags of its file', async (t) => {
  const library = await openLibrary(t);
  const flac = await testFlac({ seconds: 0.2 });
  const path = `${library.context.config.dataDir}/tagged.flac`;
  await writeTaggedFile(path, flac, { title: 'Tide', artist: 'Ebb', date: '1987', comment: 'from tape' });
  const track = await library.addTrack(await readFile(path), 'tagged.flac');
  assert.deepEqual([track.title, track.year, track.comment], ['Tide', 1987, 'from tape']);
});

test('searches and sorts by the fields', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const songs = {
    Amber: { year: 1987, rating: 5, genre: 'Techno', comment: 'opens a night' },
    Birch: { year: 1999, rating: 3, genre: 'ambient' },
    Cobalt: { rating: 0, genre: 'House' },
  };
  const ids: Record<string, string> = {};
  for (const [title, body] of Object.entries(songs)) {
    const id = await insertTestTrack(library.context, library.user.id, title);
    ids[title] = id;
    await library.ask(updateTrack, { params: { id }, body });
    clock.advance(10 * 86_400);
  }
  await library.ask(recordPlay, { params: { id: ids['Birch'] ?? '' }, body: { source: 'deck_a' } });
  const titles = async (query: Record<string, string>) =>
    (await library.ask(listTracks, { query })).body.data.map(({ title }) => title).join(' ');
  for (const [q, expected] of Object.entries({
    'year:1987': 'Amber',
    'year:1980-1999': 'Amber Birch',
    'year:>1987': 'Birch',
    'rating:>=3': 'Amber Birch',
    'rating:0': 'Cobalt',
    'plays:0': 'Amber Cobalt',
    'plays:>0': 'Birch',
    'played:never': 'Amber Cobalt',
    'played:1d': 'Birch',
    'added:11d': 'Cobalt',
    'added:3w': 'Birch Cobalt',
    '-added:3w': 'Amber',
    'comment:night': 'Amber',
    'stems:no': 'Amber Birch Cobalt',
    'stems:yes': '',
    '-stems:yes': 'Amber Birch Cobalt',
  }))
    assert.equal(await titles({ q, sort: 'title' }), expected, q);
  for (const [sort, expected] of Object.entries({
    genre: 'Birch Cobalt Amber',
    year: 'Amber Birch Cobalt',
    '-year': 'Birch Amber Cobalt',
    '-rating': 'Amber Birch Cobalt',
    '-play_count': 'Birch Cobalt Amber',
    '-last_played_at': 'Birch Cobalt Amber',
  }))
    assert.equal(await titles({ sort }), expected, sort);
  assert.equal(await titles({ sort: 'genre', q: 'rating:>0' }), 'Birch Amber');
});

test('counts plays and lists played sets, divided by pauses of more than an hour', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const one = await insertTestTrack(library.context, library.user.id, 'One');
  const two = await insertTestTrack(library.context, library.user.id, 'Two');
  const play = async (id: string, source: string) => {
    const reply = await library.ask(recordPlay, { params: { id }, body: { source } });
    assert.equal(reply.status, 201);
    return reply.body.data.played_at;
  };
  const first = await play(one, 'deck_a');
  clock.advance(300);
  const second = await play(two, 'deck_b');
  clock.advance(3601);
  const third = await play(one, 'player');
  const shown = (await library.ask(getTrack, { params: { id: one } })).body.data;
  assert.deepEqual([shown.play_count, shown.last_played_at], [2, third]);
  const { data, meta } = (await library.ask(listPlayedSets)).body;
  assert.equal(meta.total_count, 2);
  assert.deepEqual(
    data.map(({ started_at, ended_at, plays }) => [started_at, ended_at, plays.map(({ title }) => title)]),
    [
      [third, third, ['One']],
      [first, second, ['One', 'Two']],
    ],
  );
  const older = (await library.ask(listPlayedSets, { query: { page: 2, page_size: 1 } })).body.data;
  assert.equal(older[0]?.started_at, first);
  const other = await library.registerUser();
  assert.deepEqual((await library.ask(listPlayedSets, {}, other)).body.data, []);
  const wrong = await library.ask(recordPlay, { params: { id: one }, body: { source: 'radio' } });
  assert.equal(wrong.error.error, 'source must be one of deck_a, deck_b, player');
});

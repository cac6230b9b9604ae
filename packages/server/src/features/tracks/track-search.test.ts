import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTracks, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { sql } from 'kysely';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { conditionsOfSearch } from './track-search.store.ts';

const songs = {
  Amber: { artist: 'The Foresters', album: 'Autumn', bpm: 124, key: 'A minor', tags: ['late hour'] },
  Birch: { artist: 'The Foresters', album: 'Amber days', bpm: 128.02, key: 'C major', tags: ['LIVE'] },
  Cobalt: { artist: 'Night Drive', album: 'Autumn', bpm: 62.5, key: 'E minor' },
  Dune: { artist: 'Night Owls', album: 'Sand', bpm: 90, key: 'B minor', tags: ['live'] },
  Ember: { artist: 'Night Drive', album: '' },
};

async function openWithSongs(t: Parameters<typeof openLibrary>[0]): Promise<LibraryApp> {
  const library = await openLibrary(t);
  for (const [title, body] of Object.entries(songs)) {
    const id = await insertTestTrack(library.context, library.user.id, title);
    assert.equal((await library.ask(updateTrack, { params: { id }, body })).status, 200);
  }
  await sql`update tracks set genre = 'Deep House' where title in ('Amber', 'Dune')`.execute(
    library.context.db,
  );
  return library;
}

test('filters a search by tempo, key, fields, phrases and exclusions', async (t) => {
  const library = await openWithSongs(t);
  const expected: Readonly<Record<string, string>> = {
    'bpm:124': 'Amber',
    'bpm:128': 'Birch',
    'bpm:128.0': 'Birch',
    'bpm:128.1': '',
    'bpm:124-128': 'Amber Birch',
    'bpm:>124': 'Birch',
    'bpm:>=124': 'Amber Birch',
    'bpm:<90': 'Cobalt',
    '-bpm:>80': 'Cobalt Ember',
    '~bpm:124': 'Amber Birch Cobalt',
    '~bpm:180': 'Dune',
    'key:Am': 'Amber',
    'key:8a': 'Amber',
    'key:A minor': 'Amber',
    '~key:8A': 'Amber Birch Cobalt',
    '-~key:8A': 'Dune Ember',
    '~key:8A ~bpm:126 -tag:live': 'Amber Cobalt',
    'artist:"night drive"': 'Cobalt Ember',
    'title:amber': 'Amber',
    'album:amber': 'Birch',
    amber: 'Amber Birch',
    'tag:live': 'Birch Dune',
    'tag:"late h"': 'Amber',
    'genre:house': 'Amber Dune',
    '-genre:house': 'Birch Cobalt Ember',
    '"night drive" -cobalt': 'Ember',
    'drive night': 'Cobalt Ember',
    '"drive night"': '',
    'bpm:fast': '',
    'key:H': '',
  };
  for (const [q, titles] of Object.entries(expected)) {
    const { status, body } = await library.ask(listTracks, { query: { q, sort: 'title' } });
    assert.equal(status, 200, q);
    assert.equal(body.data.map((track) => track.title).join(' '), titles, q);
    assert.equal(body.meta.total_count, body.data.length);
  }
});

test('combines a search with the other parameters and finds nothing of other users', async (t) => {
  const library = await openWithSongs(t);
  const both = await library.ask(listTracks, { query: { q: '~bpm:124', key: 'E minor' } });
  assert.deepEqual(
    both.body.data.map((track) => track.title),
    ['Cobalt'],
  );
  const other = await library.registerUser();
  const theirs = await library.ask(listTracks, { query: { q: '~key:8A' } }, other);
  assert.deepEqual(theirs.body.data, []);
});

test('uses an index for conditions on tempo and key in a large library', async (t) => {
  const { context, user } = await openLibrary(t);
  await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, bpm, key,
      created_at, updated_at)
    select md5(i::text)::uuid, ${user.id}, 'upload', 'Song ' || i, 'Artist', 'Album', '', false, 1000,
      60 + i % 12000 / 100.0, (array['A minor', 'C major', 'G minor', 'B major', 'F minor', ''])[1 + i % 6], now(), now()
    from generate_series(1, 20000) i`.execute(context.db);
  await sql`analyze tracks`.execute(context.db);
  for (const q of [
    'bpm:124',
    '~bpm:124',
    'bpm:>179',
    'key:Am bpm:<70',
    '~key:8A ~bpm:120',
    '~key:8A bpm:120-122',
  ]) {
    const conditions = conditionsOfSearch(parseTrackSearch(q), context.clock.now());
    const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select id, created_at from tracks
      where user_id = ${user.id} and deleted_at is null and ${sql.join(conditions, sql` and `)}`.execute(
      context.db,
    );
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(plan, /Index Cond: .*(bpm|key)/, `${q}\n${plan}`);
    assert.doesNotMatch(plan, /Seq Scan/, `${q}\n${plan}`);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  deleteTrack,
  listRelatedTracks,
  listTracks,
  updateTrack,
} from '@stem-studio/contract/endpoints/tracks';
import { keyRelation as keyRelationSchema } from '@stem-studio/contract/resources/related-track';
import { compatibility } from '@stem-studio/dsp/mix/compatibility';
import { keyAt } from '@stem-studio/dsp/tonal/camelot';
import { keyRelation } from '@stem-studio/dsp/tonal/key-relation';
import { sql } from 'kysely';
import { openLibrary } from '../../testing/library-steps.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

/** Opens a library with songs of these tempi and keys, and returns their ids by title. */
async function openWith(
  t: Parameters<typeof openLibrary>[0],
  songs: Readonly<Record<string, { bpm?: number; key?: string }>>,
) {
  const library = await openLibrary(t);
  const ids: Record<string, string> = {};
  for (const [title, body] of Object.entries(songs)) {
    const id = await insertTestTrack(library.context, library.user.id, title);
    if (Object.keys(body).length > 0) await library.ask(updateTrack, { params: { id }, body });
    ids[title] = id;
  }
  const related = async (title: string, query = {}) =>
    (await library.ask(listRelatedTracks, { params: { id: ids[title] ?? '' }, query })).body.data;
  return { library, ids, related };
}

const songs = {
  playing: { bpm: 124, key: 'A minor' },
  same: { bpm: 124, key: 'A minor' },
  relative: { bpm: 126, key: 'C major' },
  half: { bpm: 62, key: 'E minor' },
  boost: { bpm: 124, key: 'B minor' },
  clash: { bpm: 124, key: 'G minor' },
  far: { bpm: 100, key: 'A minor' },
  toneless: { bpm: 124 },
  timeless: { key: 'A minor' },
  unknown: {},
};

test('returns tracks that match by key and tempo, best first, with the reasons', async (t) => {
  const { related } = await openWith(t, songs);
  const found = await related('playing');
  assert.deepEqual(
    found.map((one) => one.track.title),
    ['same', 'relative', 'half', 'boost'],
  );
  assert.deepEqual(
    found.map((one) => one.reasons.join(', ')),
    [
      'same key (8A), same tempo',
      'relative major (8B), 1.6 % slower',
      'one step up the wheel (9A), at half tempo',
      'energy boost, a tone up (10A), same tempo',
    ],
  );
  assert.deepEqual(
    [found[2]?.key_relation, found[2]?.tempo_factor, found[2]?.tempo_percent],
    ['step_up', 2, 0],
  );
  assert.ok(found.every((one, i) => i === 0 || one.score <= (found[i - 1]?.score ?? 0)));
  assert.deepEqual(
    (await related('playing', { limit: 2 })).map((one) => one.track.title),
    ['same', 'relative'],
  );
});

test('compares only the known key or tempo of a track and returns nothing where both are unknown', async (t) => {
  const { related } = await openWith(t, songs);
  const titles = async (title: string) => (await related(title)).map((one) => one.track.title).sort();
  assert.deepEqual(await titles('timeless'), ['boost', 'far', 'half', 'playing', 'relative', 'same']);
  assert.deepEqual(await titles('toneless'), ['boost', 'clash', 'half', 'playing', 'relative', 'same']);
  assert.deepEqual(await titles('unknown'), []);
});

test('ignores deleted tracks and those of other users and rejects a wrong limit with 422', async (t) => {
  const { related, ids, library } = await openWith(t, songs);
  const other = await library.registerUser();
  const theirs = await insertTestTrack(library.context, other.id, 'theirs');
  await library.ask(updateTrack, { params: { id: theirs }, body: songs.playing }, other);
  await library.ask(deleteTrack, { params: { id: ids['same'] ?? '' } });
  assert.deepEqual(
    (await related('playing')).map((one) => one.track.title),
    ['relative', 'half', 'boost'],
  );
  const params = { id: ids['playing'] ?? '' };
  assert.equal((await library.ask(listRelatedTracks, { params }, other)).status, 404);
  for (const limit of [0, 51, 'x'])
    assert.equal((await library.ask(listRelatedTracks, { params, query: { limit } })).status, 422);
});

test('sorts by compatibility score for any song in both directions', async (t) => {
  const library = await openLibrary(t);
  const { context, user } = library;
  const keys = ['', ...[3, 7, 8, 9, 10, 12].flatMap((n) => [keyAt(n, 'A'), keyAt(n, 'B')])];
  await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, bpm, key,
      created_at, updated_at)
    select md5(i::text)::uuid, ${user.id}, 'upload', 'Song ' || i, '', '', '', false, 1000,
      case when i % 9 = 0 then null else 50 + (i * 7919) % 14000 / 100.0 end,
      (${keys}::text[])[1 + i % ${keys.length}::int], now(), now()
    from generate_series(1, 90) i`.execute(context.db);
  for (const [fit_key, fit_bpm] of [
    ['A minor', '124'],
    ['C major', '87.5'],
    ['A minor', undefined],
    ['', '124'],
    ['', undefined],
    ['A minor', '0'],
  ] as const) {
    const query = { sort: 'fit', fit_key, ...(fit_bpm !== undefined && { fit_bpm }), page_size: 100 };
    const { data } = (await library.ask(listTracks, { query })).body;
    assert.equal(data.length, 90);
    const song = { key: fit_key, bpm: fit_bpm === undefined ? null : Number(fit_bpm) };
    const score = (track: (typeof data)[number]) => compatibility(song, track).score;
    const expected = [...data].sort((x, y) => score(y) - score(x) || (x.id < y.id ? 1 : -1));
    assert.deepEqual(
      data.map((track) => track.title),
      expected.map((track) => track.title),
      JSON.stringify(query),
    );
    const backwards = (await library.ask(listTracks, { query: { ...query, sort: '-fit' } })).body.data;
    assert.deepEqual(
      backwards.map((track) => track.title),
      expected.map((track) => track.title).reverse(),
    );
    const second = (await library.ask(listTracks, { query: { ...query, q: 'song', page: 3, page_size: 20 } }))
      .body;
    assert.deepEqual(
      second.data.map((track) => track.title),
      expected.slice(40, 60).map((track) => track.title),
    );
    assert.equal(second.meta.total_count, 90);
  }
});

test('uses the same terms for key relations as the contract', () => {
  const relations = new Set<string>();
  for (let number = 1; number <= 12; number++) {
    for (const ring of ['A', 'B'] as const) relations.add(keyRelation('A minor', keyAt(number, ring)));
  }
  relations.add(keyRelation('', ''));
  assert.deepEqual([...relations].sort(), [...keyRelationSchema.options].sort());
});

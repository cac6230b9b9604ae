import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTrackIds, listTracks, updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { pitchClasses } from '@stem-studio/contract/resources/track';
import { camelotOf } from '@stem-studio/dsp/tonal/camelot';
import { sql } from 'kysely';
import { type LibraryApp, openLibrary } from '../../testing/library-steps.ts';
import type { TestLifetime } from '../../testing/test-context.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

/** Opens a library with tracks of these titles, oldest first, edited by their owner. */
async function openWith(t: TestLifetime, tracks: Readonly<Record<string, object>>): Promise<LibraryApp> {
  const library = await openLibrary(t);
  for (const [title, body] of Object.entries(tracks)) {
    const id = await insertTestTrack(library.context, library.user.id, title);
    const changed = await library.ask(updateTrack, { params: { id }, body });
    assert.equal(changed.status, 200);
  }
  return library;
}

async function titles(library: LibraryApp, query: Record<string, string | number>): Promise<string[]> {
  const { data, meta } = (await library.ask(listTracks, { query })).body;
  assert.equal(meta.total_count, data.length);
  return data.map((track) => track.title);
}

test("lists only the caller's own tracks in pages, newest first", async (t) => {
  const library = await openWith(t, { one: {}, two: {}, three: {} });
  const other = await library.registerUser('admin');
  await insertTestTrack(library.context, other.id, 'not ours');
  const first = (await library.ask(listTracks, { query: { page_size: 2 } })).body;
  assert.deepEqual(
    first.data.map((track) => track.title),
    ['three', 'two'],
  );
  assert.deepEqual(first.meta, { page: 1, page_size: 2, total_count: 3, total_pages: 2 });
  const second = (await library.ask(listTracks, { query: { page_size: 2, page: 2 } })).body;
  assert.deepEqual(
    second.data.map((track) => track.title),
    ['one'],
  );
  const beyond = (await library.ask(listTracks, { query: { page: 50 } })).body;
  assert.deepEqual([beyond.data, beyond.meta.total_count], [[], 3]);
});

test('rejects values out of range and unknown parameters with 422 instead of clamping', async (t) => {
  const library = await openLibrary(t);
  const wrong: readonly [string, string | number][] = [
    ['page', 0],
    ['page', -1],
    ['page', 'x'],
    ['page_size', 0],
    ['page_size', 101],
    ['page_size', 1.5],
    ['sort', 'loudness'],
    ['key', 'H minor'],
    ['key', 'Eb major'],
    ['bpm_min', 'fast'],
    ['tag', ''],
    ['colour', 'red'],
  ];
  for (const [name, value] of wrong) {
    const reply = await library.ask(listTracks, { query: { [name]: value } });
    assert.equal(reply.status, 422, `${name}=${value}`);
    assert.equal(reply.error.code, 'VALIDATION_ERROR');
    assert.deepEqual(Object.keys(reply.error.details ?? {}), [name]);
  }
});

test('finds search terms literally in title, artist, album and tags', async (t) => {
  const library = await openWith(t, {
    '100% pure': { artist: 'Ebb' },
    '100 pure': { album: 'Under_score' },
    underscore: { tags: ['back\\slash', 'Ebb'] },
  });
  assert.deepEqual(await titles(library, { q: 'PURE 100' }), ['100 pure', '100% pure']);
  assert.deepEqual(await titles(library, { q: '%' }), ['100% pure']);
  assert.deepEqual(await titles(library, { q: 'r_s' }), ['100 pure']);
  assert.deepEqual(await titles(library, { q: 'k\\s' }), ['underscore']);
  assert.deepEqual(await titles(library, { q: 'ebb' }), ['underscore', '100% pure']);
  assert.deepEqual(await titles(library, { q: "'; drop table tracks; --" }), []);
  assert.equal((await titles(library, { q: ' ' })).length, 3);
});

test('sorts by each field in both directions, with tracks without a tempo always last', async (t) => {
  const library = await openWith(t, {
    beta: { artist: 'x', bpm: 128, key: 'C major' },
    Alpha: { artist: 'z', bpm: 90.5, key: 'A minor' },
    gamma: { artist: 'Y', key: '' },
  });
  const expected: readonly [string, string[]][] = [
    ['created_at', ['beta', 'Alpha', 'gamma']],
    ['-created_at', ['gamma', 'Alpha', 'beta']],
    ['title', ['Alpha', 'beta', 'gamma']],
    ['-title', ['gamma', 'beta', 'Alpha']],
    ['artist', ['beta', 'gamma', 'Alpha']],
    ['bpm', ['Alpha', 'beta', 'gamma']],
    ['-bpm', ['beta', 'Alpha', 'gamma']],
    ['key', ['gamma', 'Alpha', 'beta']],
    ['duration', ['beta', 'Alpha', 'gamma']],
  ];
  for (const [sort, order] of expected) assert.deepEqual(await titles(library, { sort }), order, sort);
});

test('sorts keys around the Camelot wheel, and those without one first', async (t) => {
  const library = await openWith(t, {
    '12B': { key: 'E major' },
    '2A': { key: 'D# minor' },
    none: { key: '' },
    '10A': { key: 'B minor' },
    '1B': { key: 'B major' },
    '1A': { key: 'G# minor' },
    '9A': { key: 'E minor' },
  });
  const order = ['none', '1A', '1B', '2A', '9A', '10A', '12B'];
  assert.deepEqual(await titles(library, { sort: 'key' }), order);
  assert.deepEqual(await titles(library, { sort: '-key' }), order.toReversed());
});

test('orders all 24 keys by their Camelot codes', async (t) => {
  const { context } = await openLibrary(t);
  const keys = pitchClasses.flatMap((tonic) => [`${tonic} minor`, `${tonic} major`]);
  const { rows } = await sql<{ key: string }>`select key from unnest(${keys}::text[]) key
    order by camelot_order(key)`.execute(context.db);
  const codes = Array.from({ length: 12 }, (_, i) => [`${i + 1}A`, `${i + 1}B`]).flat();
  assert.deepEqual(
    rows.map(({ key }) => camelotOf(key)),
    codes,
  );
});

test('sorts by album, loudness and model, with tracks without loudness or stems always last', async (t) => {
  const library = await openWith(t, { beta: { album: 'x' }, Alpha: { album: 'Z' }, gamma: { album: 'y' } });
  const { db } = library.context;
  await sql`update tracks set loudness_lufs = case title when 'beta' then -8.5 when 'gamma' then -14 end,
    separation_model = case title when 'Alpha' then 'hybrid_6' when 'gamma' then 'cloud' end`.execute(db);
  const expected: readonly [string, string[]][] = [
    ['album', ['beta', 'gamma', 'Alpha']],
    ['-album', ['Alpha', 'gamma', 'beta']],
    ['loudness_lufs', ['gamma', 'beta', 'Alpha']],
    ['-loudness_lufs', ['beta', 'gamma', 'Alpha']],
    ['separation_model', ['gamma', 'Alpha', 'beta']],
    ['-separation_model', ['Alpha', 'gamma', 'beta']],
  ];
  for (const [sort, order] of expected) assert.deepEqual(await titles(library, { sort }), order, sort);
});

test('lists tracks by their ids, and the ids of a part of a list in its order', async (t) => {
  const library = await openWith(t, { beta: { bpm: 128 }, Alpha: { bpm: 90 }, gamma: {} });
  const all = (await library.ask(listTracks, { query: { sort: 'title' } })).body.data;
  const ids = all.map(({ id }) => id);
  const other = await library.registerUser('admin');
  const others = await insertTestTrack(library.context, other.id, 'not ours');
  assert.deepEqual(await titles(library, { ids: [ids[2], others, ids[0]].join(), sort: 'title' }), [
    'Alpha',
    'gamma',
  ]);
  const idsOf = async (query: Record<string, string | number>) =>
    (await library.ask(listTrackIds, { query })).body.data;
  assert.deepEqual(await idsOf({ sort: 'title' }), ids);
  assert.deepEqual(await idsOf({ sort: 'title', first: 1, count: 1 }), [ids[1]]);
  assert.deepEqual(await idsOf({ sort: '-title', first: 1 }), [ids[1], ids[0]]);
  assert.deepEqual(await idsOf({ q: 'bpm:>100' }), [ids[1]]);
  assert.deepEqual(await idsOf({ sort: 'fit', fit_bpm: 90, fit_key: 'A minor', count: 1 }), [ids[0]]);
  const wrong = await library.ask(listTracks, { query: { ids: 'x' } });
  assert.equal(wrong.status, 422);
});

test('filters by key, tempo and tag, with inclusive bounds', async (t) => {
  const library = await openWith(t, {
    slow: { bpm: 90, key: 'A minor', tags: ['100%', 'late'] },
    fast: { bpm: 174.25, key: 'F# major', tags: ['late'] },
    free: {},
  });
  assert.deepEqual(await titles(library, { key: 'F# major' }), ['fast']);
  assert.deepEqual(await titles(library, { bpm_min: 90, bpm_max: 174 }), ['slow']);
  assert.deepEqual(await titles(library, { bpm_min: 90, bpm_max: '174.25' }), ['fast', 'slow']);
  assert.deepEqual(await titles(library, { tag: '100%' }), ['slow']);
  assert.deepEqual(await titles(library, { tag: 'late', q: 'fast' }), ['fast']);
  assert.deepEqual(await titles(library, { tag: 'lat' }), []);
  assert.deepEqual(await titles(library, { key: '' }), ['free']);
});

test('returns the exact part of the order on every page, also far down the list', async (t) => {
  const library = await openLibrary(t);
  const count = 2345;
  // Many equal values, so that the secondary order matters; some without a tempo.
  await sql`insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, bpm, key,
      created_at, updated_at)
    select md5(i::text)::uuid, ${library.user.id}, 'upload', 'Song ' || i % 7, 'Artist ' || i % 3, '', '', false,
      1000 * (i % 5), case when i % 4 = 0 then null else 90 + i % 11 end, (array['', 'A minor', 'C major'])[1 + i % 3],
      now() - make_interval(secs => i % 50), now()
    from generate_series(1, ${count}::int) i`.execute(library.context.db);
  const column = {
    created_at: 'created_at',
    title: 'title',
    bpm: 'bpm',
    key: 'key',
    duration: 'duration_ms',
  };
  for (const [name, by] of Object.entries(column)) {
    for (const direction of ['', '-']) {
      const order = direction === '-' ? 'desc' : 'asc';
      const whole = await sql<{ id: string }>`select id from tracks
        order by ${sql.raw(`lower(${by}::text)`)} is null, ${sql.raw(`${by} ${order}, id ${order}`)}`.execute(
        library.context.db,
      );
      const ids = whole.rows.map((row) => row.id);
      // The test sends more requests than a minute allows.
      await library.context.db.deleteFrom('rate_limits').execute();
      for (const page of [1, 2, 10, 11, 13, 23, 24, 25]) {
        const query = { page, page_size: 100, sort: `${direction}${name}` };
        const { data, meta } = (await library.ask(listTracks, { query })).body;
        assert.deepEqual(
          data.map((track) => track.id),
          ids.slice((page - 1) * 100, page * 100),
          `${query.sort}, page ${page}`,
        );
        assert.deepEqual(meta, { page, page_size: 100, total_count: count, total_pages: 24 });
      }
    }
  }
});

test('sends the page of a search without counting what follows it', async (t) => {
  const library = await openWith(t, { one: {}, two: {}, three: {}, other: {} });
  const page = async (query: Record<string, string | number>) => {
    const { data, meta } = (await library.ask(listTracks, { query: { ...query, total: 'page' } })).body;
    return [data.map(({ title }) => title).join(' '), meta.total_count, meta.has_more];
  };
  const ends = { q: '-other', page_size: 2, sort: 'title' };
  assert.deepEqual(await page(ends), ['one three', 2, true]);
  assert.deepEqual(await page({ ...ends, page: 2 }), ['two', 3, false]);
  assert.deepEqual(await page({ ...ends, page: 3 }), ['', 3, false]);
  assert.deepEqual(await page({ ...ends, page_size: 3 }), ['one three two', 3, false]);
  assert.deepEqual(await page({ ...ends, sort: 'fit', fit_key: 'A minor', page_size: 1 }), [
    'three',
    1,
    true,
  ]);
  assert.deepEqual(await page({ q: 'nothing' }), ['', 0, false]);
  // The count of all tracks is stored.
  assert.deepEqual(await page({ page_size: 1 }), ['other', 4, undefined]);
});

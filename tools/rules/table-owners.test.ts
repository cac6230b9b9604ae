import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSource } from './source.ts';
import { checkTableOwners, tableOwnersOf } from './table-owners.ts';

const declare = (feature: string, ...tables: string[]) =>
  parseSource({
    path: `packages/server/src/features/${feature}/${feature}.tables.ts`,
    text: `declare module '../../platform/db/tables.ts' { interface Tables { ${tables.map((table) => `${table}: T;`).join(' ')} } }`,
  });
const platformTables = parseSource({
  path: 'packages/server/src/platform/db/tables.ts',
  text: 'export interface Tables { jobs: T; }',
});
const declarations = [
  platformTables,
  declare('tracks', 'tracks', 'audio_sources'),
  declare('cues', 'cue_points'),
];
const { owners } = tableOwnersOf(declarations);

const cuesStore = 'packages/server/src/features/cues/cues.store.ts';
const problemsIn = (text: string, path = cuesStore) =>
  checkTableOwners(parseSource({ path, text }), owners).map(
    ({ line, message }) => `${line} ${message.split(':')[0]}`,
  );

test('reads the owner of each table from the declarations', () => {
  assert.deepEqual(Object.fromEntries(owners), {
    jobs: 'platform',
    tracks: 'tracks',
    audio_sources: 'tracks',
    cue_points: 'cues',
  });
});

test('reports a table that two features declare', () => {
  const { violations } = tableOwnersOf([...declarations, declare('decks', 'tracks')]);
  assert.deepEqual(
    violations.map(({ path, rule }) => [path, rule]),
    [['packages/server/src/features/decks/decks.tables.ts', 'table-owner']],
  );
});

test('accepts queries of own tables and reads of platform tables', () => {
  assert.deepEqual(
    problemsIn(`
      db.selectFrom('cue_points').innerJoin('jobs', 'jobs.id', 'cue_points.job_id');
      db.insertInto('cue_points').values(row);
      sql\`select jobs.id from cue_points, jobs where cue_points.track_id = \${id}\`;
    `),
    [],
  );
});

test('reports a table of another feature in every method of the query builder', () => {
  const methods = [
    'selectFrom',
    'insertInto',
    'updateTable',
    'deleteFrom',
    'mergeInto',
    'innerJoin',
    'leftJoin',
  ];
  for (const method of [...methods, 'rightJoin', 'fullJoin', 'crossJoin', 'using'])
    assert.equal(problemsIn(`db.${method}('tracks');`).length, 1, method);
  assert.deepEqual(problemsIn(`\ndb.selectFrom(['cue_points', 'tracks as t']);`), [
    '2 cues queries the table tracks of tracks',
  ]);
});

test('reports a table of another feature in the text of SQL', () => {
  for (const text of [
    'select * from tracks',
    'select 1 from cue_points c, tracks t where t.id = c.track_id',
    'select (select title from tracks where id = $1)',
    'select * from cue_points left join "tracks" on true',
    'insert into tracks (id) values (1)',
    'update tracks set title = $1',
    'delete from only tracks',
    'with x as (delete from tracks returning id) select * from x',
    'lock table tracks in exclusive mode',
    'select tracks.id from x as tracks',
  ])
    assert.equal(problemsIn(`sql\`${text}\`;`).length, 1, text);
  assert.deepEqual(
    problemsIn("sql<{ tracks: number }>`select count(*) as tracks, 'from tracks' from cue_points`;"),
    [],
  );
});

test('reports a feature that changes a table of the platform', () => {
  assert.deepEqual(problemsIn("db.updateTable('jobs'); sql`delete from jobs`;"), [
    '1 cues changes the table jobs of platform',
    '1 cues changes the table jobs of platform',
  ]);
});

test('reports the platform, the app and services that query a table of a feature', () => {
  for (const path of ['platform/files/a.store.ts', 'app.ts', 'features/cues/cues.service.ts'])
    assert.equal(problemsIn("db.selectFrom('tracks');", `packages/server/src/${path}`).length, 1, path);
});

test('lets tests query every table', () => {
  assert.deepEqual(problemsIn("db.selectFrom('tracks');", cuesStore.replace('.store', '.test')), []);
});

test('reports an unnecessary exemption', () => {
  const path = 'packages/server/src/features/storage-check/invariants.store.ts';
  assert.deepEqual(problemsIn("db.selectFrom('tracks');", path), []);
  assert.equal(problemsIn('export {};', path).length, 1);
});

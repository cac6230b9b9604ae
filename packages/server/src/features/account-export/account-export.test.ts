import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { transcribe } from '@stem-studio/contract/endpoints/notes';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { job } from '@stem-studio/contract/resources/job';
import { track } from '@stem-studio/contract/resources/track';
import { z } from 'zod';
import { newId } from '../../platform/ids.ts';
import { createKeyIn, registeredBrowser } from '../../testing/account-steps.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { readZip } from '../../testing/read-zip.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';

const path = '/export/account';

test("a user's data is one ZIP of JSON: account, tracks, stems, jobs, analyses, notes, with links to the audio", async (t) => {
  const library = await openLibrary(t);
  const browser = await registeredBrowser(library.app, 'mira@example.org');
  const { key, id: keyId } = await createKeyIn(browser, 'my program');
  const mira = { headers: { authorization: `Bearer ${key}` } };
  const mine = await library.addTrack(await testWav({ seconds: 0.5 }), 'mine.wav', mira);
  const theirs = await library.addTrack(await testWav({ seconds: 0.6 }), 'theirs.wav');
  const separation = await library.ask(separate, { body: { track_id: mine.id } }, mira);
  const analysis = await library.ask(analyze, { body: { track_id: mine.id } }, mira);
  const hearing = await library.ask(transcribe, { body: { track_id: mine.id } }, mira);
  await drainJobs(library.context);

  const reply = await browser.get(path);
  assert.equal(reply.statusCode, 200);
  assert.equal(reply.headers['content-type'], 'application/zip');
  assert.match(
    String(reply.headers['content-disposition']),
    /^attachment; filename="Stem Studio \d{4}-\d\d-\d\d\.zip"/,
  );
  const files = readZip(reply.rawPayload);
  const notesFile = `notes/${mine.id}/mix.json`;
  const analysisFile = `analyses/${mine.id}/${analysis.body.data.job_id}.json`;
  assert.deepEqual(
    [...files.keys()],
    [
      'README.txt',
      'account.json',
      'tracks.json',
      'plays.json',
      'crates.json',
      'stems.json',
      'jobs.json',
      'cloud.json',
      'cues.json',
      'beat-grids.json',
      analysisFile,
      notesFile,
    ],
  );
  const json = (name: string): unknown => JSON.parse(files.get(name)?.toString('utf8') ?? '');

  const account = json('account.json') as Record<string, Record<string, unknown>[]>;
  assert.equal((account['user'] as unknown as { email: string }).email, 'mira@example.org');
  assert.deepEqual(
    account['api_keys']?.map(({ id, name, prefix }) => [id, name, prefix]),
    [[keyId, 'my program', key.slice(0, 12)]],
  );
  assert.equal(account['logins']?.length, 1);
  assert.deepEqual(
    account['audit_log']?.map(({ action }) => action),
    ['api_key_created'],
  );
  const linked = z.object({ link: z.string() });
  const [shown, ...others] = z.array(track.extend(linked.shape)).parse(json('tracks.json'));
  assert.deepEqual([shown?.id, others], [mine.id, []]);
  const stems = z.array(linked).parse(json('stems.json'));
  assert.equal(stems.length, 4);
  for (const { link } of [...stems, ...(shown ? [shown] : [])]) {
    const audio = await browser.get(new URL(link).pathname);
    assert.equal(audio.statusCode, 200, link);
  }
  const jobs = z.array(job).parse(json('jobs.json'));
  assert.deepEqual(jobs.map(({ id, track_title }) => [id, track_title]).slice(1), [
    [separation.body.data.job_id, mine.title],
    [analysis.body.data.job_id, mine.title],
    [hearing.body.data.job_id, mine.title],
  ]);
  assert.equal((json(notesFile) as { source: string }).source, 'mix');
  assert.equal(typeof (json(analysisFile) as { result: { tempo: unknown } }).result.tempo, 'number');

  const text = reply.rawPayload.toString('latin1');
  const { password_hash } = await library.context.db
    .selectFrom('users')
    .selectAll()
    .where('email', '=', 'mira@example.org')
    .executeTakeFirstOrThrow();
  const { key_hash } = await library.context.db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow();
  const secrets = [key, key_hash, password_hash, browser.cookies.get('stem_studio_session'), theirs.id];
  for (const secret of secrets) assert.ok(secret && !text.includes(secret), String(secret));
});

test('more tracks than one batch are exported completely, in order and once', async (t) => {
  const library = await openLibrary(t);
  const { context, user } = library;
  const rows = Array.from({ length: 250 }, (_, i) => ({
    id: newId(),
    user_id: user.id,
    source: 'upload' as const,
    title: `Song ${i}`,
    artist: '',
    album: '',
    genre: '',
    explicit: false,
    duration_ms: 1000,
    key: '',
    bpm_edited: false,
    key_edited: false,
    tags: [],
    created_at: new Date(1_700_000_000_000 + i),
    updated_at: new Date(),
    ...(i === 7 && { deleted_at: new Date() }),
  }));
  await context.db.insertInto('tracks').values(rows).execute();
  const reply = await library.app.inject({ method: 'GET', url: path, headers: user.headers });
  const tracks = JSON.parse(readZip(reply.rawPayload).get('tracks.json')?.toString() ?? '') as {
    title: string;
  }[];
  assert.deepEqual(
    tracks.map(({ title }) => title),
    rows.map(({ title }) => title).filter((title) => title !== 'Song 7'),
  );
});

test('an account without content has empty lists', async (t) => {
  const { app, user } = await openLibrary(t);
  const reply = await app.inject({ method: 'GET', url: path, headers: user.headers });
  const files = readZip(reply.rawPayload);
  for (const name of ['tracks.json', 'stems.json', 'jobs.json'])
    assert.deepEqual(JSON.parse(files.get(name)?.toString() ?? ''), [], name);
  const head = await app.inject({ method: 'HEAD', url: path, headers: user.headers });
  assert.equal(head.statusCode, 200);
  assert.equal(head.payload, '');
});

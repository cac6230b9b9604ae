import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { getDownloadJob } from '@stem-studio/contract/endpoints/downloads';
import { retryJob } from '@stem-studio/contract/endpoints/jobs';
import { sql } from 'kysely';
import { deleteMarkedFolders } from '../../platform/files/folders-to-delete.ts';
import {
  type LibraryApp,
  listenTo,
  makeFolder,
  messagesToTheEnd,
  openLibrary,
} from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { drainJobs } from '../../testing/test-context.ts';
import type { TestUser } from '../../testing/test-user.ts';

async function open(t: TestContext) {
  const folder = await makeFolder(t);
  // Long enough for a report of each stage but the first.
  await writeFile(join(folder, 'song.wav'), await testWav({ seconds: 12 }));
  const library = await openLibrary(t, { config: { catalogFolder: folder } });
  return { library, url: await library.linkOf('song') };
}

/** Returns what a user sees of an upload: the reply, and every stage of its job. */
async function stagesOf(library: LibraryApp, as: TestUser, bytes: Uint8Array) {
  const received = listenTo(library.context, `library:${as.id}`);
  const { status, body } = await library.upload(bytes, 'song.wav', as);
  await drainJobs(library.context);
  const payloads = await messagesToTheEnd(received, body.data.job_id);
  const stages = payloads.map((payload) => `${String(payload['status'])}: ${String(payload['message'])}`);
  // The first stage of the preparation is shorter than the interval of reports.
  const seen = new Set(stages.filter((stage) => !stage.endsWith(': checking the audio')));
  return { status, queued: body.data.status, stages: [...seen] };
}

test('makes an upload of bytes that another user has look like one of new bytes and stores them once', async (t) => {
  const { library } = await open(t);
  const other = await library.registerUser();
  // Long enough for a report of each stage but the first.
  const bytes = await testWav({ seconds: 12 });
  const unknown = await stagesOf(library, library.user, bytes);
  const stored = await library.storedFiles();
  const known = await stagesOf(library, other, bytes);
  assert.deepEqual(known, unknown);
  assert.ok(known.stages.some((stage) => stage.includes('converting')));
  await deleteMarkedFolders(library.context);
  assert.deepEqual(await library.storedFiles(), stored, 'kept once, and nothing is left over');
  const sources = await library.context.db.selectFrom('audio_sources').selectAll().execute();
  assert.equal(sources.length, 1);
});

test("prepares an import of another user's audio again and stores a further quality beside the first", async (t) => {
  const { library, url } = await open(t);
  const other = await library.registerUser();
  const importAs = async (as: TestUser, quality: string) => {
    const received = listenTo(library.context, `library:${as.id}`);
    const { body } = await library.ask(importCatalog, { body: { url, quality } }, as);
    const id = body.data.items[0]?.job_id ?? '';
    await drainJobs(library.context);
    const payloads = await messagesToTheEnd(received, id);
    const job = await library.ask(getDownloadJob, { params: { id } }, as);
    const messages = new Set(payloads.map((one) => one['message']));
    // This stage is shorter than the interval of reports.
    messages.delete('checking the audio');
    return { messages, path: job.body.data.output_path };
  };
  const first = await importAs(library.user, 'high');
  const second = await importAs(other, 'low');
  assert.deepEqual(second.messages, first.messages);
  const folder = (path: string | null) => path?.split('/').slice(0, -1).join('/');
  assert.equal(folder(second.path), folder(first.path));
  const again = await importAs(library.user, 'low');
  assert.equal(again.path, second.path);
  assert.ok(!again.messages.has('converting'), "one's own is known at once");
});

test('keeps an upload of known bytes whose result cannot be recorded for a retry, also when other users are deleted', async (t) => {
  const { library } = await open(t);
  const { db } = library.context;
  const other = await library.registerUser();
  const bytes = await testWav({ seconds: 0.5 });
  const { id } = await library.addTrack(bytes);
  await sql`alter table jobs add constraint none_completes check (status <> 'completed') not valid`.execute(
    db,
  );
  const { job_id } = (await library.upload(bytes, 'song.wav', other)).body.data;
  await drainJobs(library.context);
  await sql`alter table jobs drop constraint none_completes`.execute(db);
  await deleteMarkedFolders(library.context);
  await db.deleteFrom('tracks').where('id', '=', id).execute();
  await db.deleteFrom('audio_sources').execute();
  const again = (await library.ask(retryJob, { params: { id: job_id ?? '' } }, other)).body.data;
  await drainJobs(library.context);
  const job = (await library.ask(getDownloadJob, { params: { id: again.id } }, other)).body.data;
  assert.deepEqual([job.status, job.error], ['completed', null]);
});

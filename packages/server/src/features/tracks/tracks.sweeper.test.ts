import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack, getTrack, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import { drainJobs } from '../../testing/test-context.ts';

test('purges a track with its stems 30 days after its deletion, and the audio with its last owner', async (t) => {
  const clock = createStillClock();
  const library = await openLibrary(t, { clock });
  const other = await library.registerUser();
  const bytes = await testWav({ seconds: 0.5 });
  const mine = await library.addTrack(bytes);
  const theirs = await library.addTrack(bytes, 'theirs.wav', other);
  await library.ask(separate, { body: { track_id: mine.id } });
  await drainJobs(library.context);
  assert.equal((await library.storedFiles()).length, 3 + 4);

  await library.ask(deleteTrack, { params: { id: mine.id } });
  clock.advance(30 * 86_400 - 10);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, 3 + 4);
  clock.advance(20);
  await library.sweep();
  const left = await library.storedFiles();
  assert.equal(left.length, 3);
  assert.ok(left.every((path) => path.startsWith('downloads/')));
  assert.equal((await library.ask(restoreTrack, { params: { id: mine.id } })).status, 404);
  const { db } = library.context;
  const jobs = db.selectFrom('jobs').select('id').where('subject_id', '=', mine.id);
  const stems = db.selectFrom('stems').select('id').where('track_id', '=', mine.id);
  assert.deepEqual([await jobs.execute(), await stems.execute()], [[], []]);

  await library.ask(deleteTrack, { params: { id: theirs.id } }, other);
  clock.advance(30 * 86_400 + 1);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), []);
  assert.deepEqual(await db.selectFrom('audio_sources').select('id').execute(), []);
});

test('does not purge a restored track', async (t) => {
  const clock = createStillClock();
  const library = await openLibrary(t, { clock });
  const { id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  await library.ask(deleteTrack, { params: { id } });
  await library.ask(restoreTrack, { params: { id } });
  clock.advance(3600);
  await library.sweep();
  assert.equal((await library.ask(getTrack, { params: { id } })).status, 200);
});

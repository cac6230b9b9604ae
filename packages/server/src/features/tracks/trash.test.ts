import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freeSpace, getUsage } from '@stem-studio/contract/endpoints/account';
import { deleteTrack, getTrack, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { listTrash, purgeTrack } from '@stem-studio/contract/endpoints/trash';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createStillClock } from '../../testing/test-clock.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

test('lists deleted tracks with the time that is left, the last deleted first, and restores them', async (t) => {
  const clock = createStillClock();
  const library = await openLibrary(t, { clock, config: { trashDays: 7 } });
  const song = await library.addTrack(await testWav({ seconds: 0.5 }));
  const bare = await insertTestTrack(library.context, library.user.id);
  const trash = async () => (await library.ask(listTrash)).body;
  assert.deepEqual((await trash()).data, []);
  await library.ask(deleteTrack, { params: { id: song.id } });
  clock.advance(3600);
  await library.ask(deleteTrack, { params: { id: bare } });
  const { data, meta } = await trash();
  assert.equal(meta.total_count, 2);
  assert.deepEqual(
    data.map(({ track, seconds_left }) => [track.id, seconds_left]),
    [
      [bare, 7 * 86_400],
      [song.id, 7 * 86_400 - 3600],
    ],
  );
  const [, entry] = data;
  assert.equal(entry?.track.title, song.title);
  assert.ok((entry?.bytes ?? 0) > 0);
  assert.equal(Date.parse(entry?.removed_at ?? '') - Date.parse(entry?.deleted_at ?? ''), 7 * 86_400_000);
  assert.equal((await library.ask(getUsage)).body.data.deleted.removed_at, data[0]?.removed_at);
  await library.ask(restoreTrack, { params: { id: song.id } });
  assert.equal((await library.ask(getTrack, { params: { id: song.id } })).status, 200);
  assert.deepEqual(
    (await trash()).data.map(({ track }) => track.id),
    [bare],
  );
  clock.advance(7 * 86_400);
  clock.advance(1);
  assert.deepEqual((await trash()).data, []);
});

test('deletes a track in the trash for good, one by one or all, and removes its files', async (t) => {
  const library = await openLibrary(t);
  const first = await library.addTrack(await testWav({ seconds: 0.3 }));
  const second = await library.addTrack(await testWav({ seconds: 0.4 }), 'second.wav');
  const third = await library.addTrack(await testWav({ seconds: 0.5 }), 'third.wav');
  const other = await library.registerUser();
  assert.equal((await library.ask(purgeTrack, { params: { id: first.id } })).status, 404, 'not deleted yet');
  for (const { id } of [first, second, third]) await library.ask(deleteTrack, { params: { id } });
  assert.equal((await library.storedFiles()).length, 9);
  assert.equal((await library.ask(purgeTrack, { params: { id: first.id } }, other)).status, 404);
  assert.equal((await library.ask(purgeTrack, { params: { id: first.id } })).status, 204);
  assert.equal((await library.storedFiles()).length, 6);
  assert.equal((await library.ask(purgeTrack, { params: { id: first.id } })).status, 404);
  assert.equal((await library.ask(restoreTrack, { params: { id: first.id } })).status, 404);
  assert.equal((await library.ask(freeSpace)).body.data.tracks, 2);
  assert.deepEqual(await library.storedFiles(), []);
  assert.equal((await library.ask(listTrash)).body.meta.total_count, 0);
});

test('a full storage names the bytes in the trash', async (t) => {
  const song = await testWav({ seconds: 2 });
  const storageBytes = song.length * 3;
  const quotas = { storageBytes, tracks: 0, queuedJobs: 0, stemSets: 0 };
  const library = await openLibrary(t, { config: { quotas } });
  const { id } = await library.addTrack(song);
  await library.ask(deleteTrack, { params: { id } });
  const refused = await library.upload(await testWav({ seconds: 2.1 }), 'other.wav');
  assert.deepEqual([refused.status, refused.error.code], [422, 'QUOTA_EXCEEDED']);
  assert.match(
    refused.error.error,
    /of it in the trash\), .* Empty the trash, delete tracks or stems, or ask/,
  );
  await library.ask(freeSpace);
  assert.equal((await library.upload(await testWav({ seconds: 2.1 }), 'other.wav')).status, 201);
});

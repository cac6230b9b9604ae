import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { deleteTrack, listDuplicates } from '@stem-studio/contract/endpoints/tracks';
import { eventually } from '../../testing/eventually.ts';
import { listenTo, openLibrary } from '../../testing/library-steps.ts';
import { testFlac, testWav, writeTaggedFile } from '../../testing/test-audio.ts';

test('recognises a track by its audio under other tags and in another lossless format', async (t) => {
  const library = await openLibrary(t);
  const wav = await library.addTrack(await testWav({ seconds: 0.6 }), 'one.wav');
  const flac = await testFlac({ seconds: 0.6 });
  const received = listenTo(library.context, `library:${library.user.id}`);
  const path = `${library.context.config.dataDir}/tagged.flac`;
  await writeTaggedFile(path, flac, { title: 'Another title' });
  const tagged = await library.addTrack(await readFile(path), 'two.flac');
  const different = await library.addTrack(await testWav({ seconds: 0.7 }), 'three.wav');
  const found = () => received.filter(({ event }) => event === 'duplicate_found');
  await eventually(found, (events) => events.length > 0);
  assert.deepEqual(
    found().map(({ payload }) => payload),
    [
      {
        track_id: tagged.id,
        title: 'Another title',
        existing: { track_id: wav.id, title: 'one', artist: '' },
      },
    ],
  );
  assert.notEqual(tagged.id, wav.id);
  const duplicates = async (id: string) =>
    (await library.ask(listDuplicates, { params: { id } })).body.data.map((track) => track.id);
  assert.deepEqual(await duplicates(tagged.id), [wav.id]);
  assert.deepEqual(await duplicates(wav.id), [tagged.id]);
  assert.deepEqual(await duplicates(different.id), []);
  await library.ask(deleteTrack, { params: { id: wav.id } });
  assert.deepEqual(await duplicates(tagged.id), []);
});

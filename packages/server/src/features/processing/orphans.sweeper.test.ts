import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separate } from '@stem-studio/contract/endpoints/processing';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import { drainJobs } from '../../testing/test-context.ts';

test('quarantines orphaned stems older than 15 minutes and keeps recorded ones', async (t) => {
  const clock = createTestClock();
  const library = await openLibrary(t, { clock });
  const { id: track_id } = await library.addTrack(await testWav({ seconds: 0.2 }));
  await library.ask(separate, { body: { track_id } });
  await drainJobs(library.context);
  const stays = await library.storedFiles();
  assert.equal(stays.length, 3 + 4);
  const orphan = 'stems/00000000-0000-7000-8000-000000000000/vocals.wav';
  await library.context.files.writeAtomically(orphan, (out) => out.append(new Uint8Array(10)));
  clock.advance(800);
  await library.sweep();
  assert.equal((await library.storedFiles()).length, stays.length + 1);
  clock.advance(110);
  await library.sweep();
  assert.deepEqual(await library.storedFiles(), stays);
  const { files } = library.context;
  assert.equal((await files.listFolders('stems')).length, 1);
  assert.deepEqual(
    (await files.quarantine.list()).map(({ path }) => path),
    ['stems/00000000-0000-7000-8000-000000000000'],
  );
});

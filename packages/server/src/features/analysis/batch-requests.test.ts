import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeTracks } from '@stem-studio/contract/endpoints/analysis';
import { listJobs } from '@stem-studio/contract/endpoints/jobs';
import { separateTracks } from '@stem-studio/contract/endpoints/processing';
import { openLibrary } from '../../testing/library-steps.ts';
import { testWav } from '../../testing/test-audio.ts';
import { insertTestTrack } from '../../testing/test-track.ts';

test('requests a separation and an analysis of several tracks, and lists those that are refused', async (t) => {
  const library = await openLibrary(t);
  const one = await library.addTrack(await testWav({ seconds: 2 }));
  const two = await library.addTrack(await testWav({ seconds: 3 }));
  const silent = await insertTestTrack(library.context, library.user.id, 'without audio');
  const track_ids = [one.id, silent, two.id, one.id];
  for (const [endpoint, type] of [
    [separateTracks, 'processing'],
    [analyzeTracks, 'analysis'],
  ] as const) {
    const { status, body } = await library.ask(endpoint, { body: { track_ids } });
    assert.equal(status, 200);
    const { accepted, refused } = body.data;
    assert.deepEqual(
      accepted.map(({ track_id }) => track_id),
      [one.id, two.id],
    );
    assert.deepEqual(
      refused.map(({ track_id, code }) => [track_id, code]),
      [[silent, 'TRACK_NOT_DOWNLOADED']],
    );
    const { data } = (await library.ask(listJobs, { query: { type } })).body;
    assert.deepEqual(data.map(({ id }) => id).toSorted(), accepted.map(({ job_id }) => job_id).toSorted());
  }
});

test('refuses a request of which no track can be processed, with the error of the first', async (t) => {
  const library = await openLibrary(t);
  const other = await library.registerUser('user');
  const others = await insertTestTrack(library.context, other.id, 'not ours');
  const silent = await insertTestTrack(library.context, library.user.id, 'without audio');
  const codeOf = async (track_ids: string[]) =>
    (await library.ask(separateTracks, { body: { track_ids } })).error.code;
  assert.equal(await codeOf([others]), 'NOT_FOUND');
  assert.equal(await codeOf([silent, others]), 'TRACK_NOT_DOWNLOADED');
  assert.equal(await codeOf([]), 'VALIDATION_ERROR');
});

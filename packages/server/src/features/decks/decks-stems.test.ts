import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteStems, separate } from '@stem-studio/contract/endpoints/processing';
import { openDeckStudio, sessionNow } from '../../testing/deck-studio.ts';
import { until } from '../../testing/socket-client.ts';
import { drainJobs } from '../../testing/test-context.ts';

test('a deck whose separation is replaced or deleted continues with the one that replaces it', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const track_id = await studio.addTrack();
  const separateBy = async (model: string) => {
    const { job_id } = (await library.ask(separate, { body: { track_id, model } })).body.data;
    await drainJobs(library.context);
    return job_id;
  };
  const six = await separateBy('hybrid_6');
  const first = await separateBy('hybrid_4');
  const mine = await studio.open();
  await mine.act('load_track', { deck: 'a', track_id });
  await mine.act('load_stems', { deck: 'a', processing_job_id: first });
  await mine.act('set_stem', { deck: 'a', stem_type: 'vocals', changes: { is_muted: true } });
  await mine.act('play', { deck: 'a', position_ms: 500 });
  mine.pushes.length = 0;

  const again = await separateBy('hybrid_4');
  await until(() => mine.pushes.length === 1);
  const [push] = mine.pushes;
  assert.ok(push?.event === 'load_stems' && push.deck === 'a', JSON.stringify(push));
  assert.equal(push.processing_job_id, again);
  const isMuted = (stems: readonly { stem_type: string; is_muted: boolean }[]) =>
    stems.filter(({ is_muted }) => is_muted).map(({ stem_type }) => stem_type);
  assert.deepEqual(isMuted(push.stems), ['vocals']);

  await library.ask(deleteStems, { params: { id: again } });
  await until(() => mine.pushes.length === 2);
  const { decks } = (await studio.open()).welcome.session;
  assert.deepEqual(
    [decks.a.processing_job_id, decks.a.stems.length, decks.a.is_playing, isMuted(decks.a.stems)],
    [six, 6, true, ['vocals']],
  );

  await library.ask(deleteStems, { params: { id: six } });
  await until(() => mine.pushes.length === 3);
  const after = (await studio.open()).welcome.session.decks.a;
  assert.deepEqual(
    [after.processing_job_id, after.stems, after.track_id, after.is_playing],
    [null, [], track_id, true],
  );

  const refused = await mine.send('load_stems', { deck: 'a', processing_job_id: six });
  assert.ok('error' in refused && /NOT_FOUND/.test(JSON.stringify(refused.error)), JSON.stringify(refused));
});

test('a deck loads the stems of its track by itself, also as soon as they are made, unless that is turned off', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const [first, second] = [await studio.addTrack(), await studio.addTrack(3)];
  const separateTrack = async (track_id: string) => {
    const { job_id } = (await library.ask(separate, { body: { track_id, model: 'hybrid_4' } })).body.data;
    await drainJobs(library.context);
    return job_id;
  };
  const mine = await studio.open();
  await mine.act('load_track', { deck: 'a', track_id: first });
  await mine.act('play', { deck: 'a', position_ms: 500 });
  const made = await separateTrack(first);
  const { decks } = await sessionNow(studio);
  assert.deepEqual([decks.a.processing_job_id, decks.a.stems.length, decks.a.is_playing], [made, 4, true]);
  const { state } = await mine.act('load_track', { deck: 'b', track_id: first });
  assert.deepEqual([state?.processing_job_id, state?.stems.length], [made, 4]);

  await mine.act('set_mixer', { changes: { is_loading_stems: false } });
  await mine.act('load_track', { deck: 'a', track_id: second });
  await separateTrack(second);
  assert.equal((await sessionNow(studio)).decks.a.processing_job_id, null);
});

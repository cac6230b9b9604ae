import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playedBpm } from '@stem-studio/contract/decks/synced-tempo';
import { editBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { createCue, listCues } from '@stem-studio/contract/endpoints/cues';
import { updateTrack } from '@stem-studio/contract/endpoints/tracks';
import { analyzeBeats, openUnanalyzed } from '../../testing/analyzed-track.ts';
import { openDeckStudio, sessionNow } from '../../testing/deck-studio.ts';
import { until } from '../../testing/socket-client.ts';

test('editing the beats updates the tempo of decks with that track, in every window and after a reload', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const track_id = await studio.addTrack();
  await analyzeBeats(library, track_id, { bpm: 120 });
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
  const { state } = await mine.act('load_track', { deck: 'a', track_id });
  assert.equal(state?.track_bpm, 120);
  await mine.act('play', { deck: 'a', position_ms: 250 });
  await until(() => other.pushes.length === 3);
  for (const window of [mine, other]) window.pushes.length = 0;

  const reply = await library.ask(editBeatGrid, {
    params: { id: track_id },
    body: { edit: 'multiply', factor: '1/2' },
  });
  assert.equal(reply.body.data.tempo, 60);
  await until(() => mine.pushes.length === 1 && other.pushes.length === 1);
  assert.deepEqual(mine.pushes, other.pushes);
  const [push] = mine.pushes;
  assert.ok(push?.event === 'deck_update' && push.deck === 'a');
  assert.deepEqual([push.version, push.state.track_bpm, push.state.tempo_percent], [3, 60, 0]);
  assert.deepEqual([push.state.is_playing, push.state.position_ms], [true, 250]);
  assert.equal((await studio.open()).welcome.session.decks.a.track_bpm, 60);
});

test('a deck with master sync is synchronised again when its own beats are edited', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const mine = await studio.open();
  const tracks = { a: await studio.addTrack(), b: await studio.addTrack(3) };
  await analyzeBeats(library, tracks.a, { bpm: 126 });
  await analyzeBeats(library, tracks.b, { bpm: 120 });
  for (const deck of ['a', 'b'] as const) await mine.act('load_track', { deck, track_id: tracks[deck] });
  await mine.act('set_mixer', { changes: { is_master_synced: true } });
  mine.pushes.length = 0;
  const body = { edit: 'set_tempo', bpm: 124 };
  await library.ask(editBeatGrid, { params: { id: tracks.b }, body });
  await until(() => mine.pushes.length === 1);
  const [push] = mine.pushes;
  assert.ok(push?.event === 'deck_update' && push.deck === 'b');
  assert.equal(push.state.track_bpm, 124);
  assert.equal(playedBpm(push.state)?.toFixed(6), '126.000000');
});

test('a tempo that is set, removed or finally detected updates the track\u2019s deck', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const track_id = await studio.addTrack();
  const mine = await studio.open();
  const { state } = await mine.act('load_track', { deck: 'b', track_id });
  assert.equal(state?.track_bpm, null);
  const say = (bpm: number | null) => library.ask(updateTrack, { params: { id: track_id }, body: { bpm } });
  await say(98);
  await analyzeBeats(library, track_id, { bpm: 120 });
  await say(null);
  const tempi = () => mine.pushes.map((push) => push.event === 'deck_update' && push.state.track_bpm);
  await until(() => tempi().at(-1) === 120);
  assert.deepEqual([tempi()[0], tempi().length], [98, 2]);
});

test('an unchanged tempo, and the tempo of a track on no deck, is not published', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const [held, other] = [await studio.addTrack(), await studio.addTrack(3)];
  for (const id of [held, other]) await analyzeBeats(library, id, { bpm: 120 });
  const [mine, next] = await Promise.all([studio.open(), studio.open()]);
  await mine.act('load_track', { deck: 'a', track_id: held });
  await library.ask(editBeatGrid, { params: { id: held }, body: { edit: 'shift_ms', ms: 7 } });
  await library.ask(editBeatGrid, { params: { id: other }, body: { edit: 'multiply', factor: '2' } });
  const { version } = await next.act('seek', { deck: 'a', position_ms: 100 });
  assert.equal(version, 2);
  await until(() => mine.pushes.length > 0);
  assert.deepEqual(
    mine.pushes.map((push) => push.version),
    [2],
  );
});

test('stored cue points move with an edited grid if they are on it, and undo returns them', async (t) => {
  const { library, id, analyze, edit } = await openUnanalyzed(t);
  // Beats at 0.4 s, 0.9 s, 1.4 s …
  await analyze({ bpm: 120 });
  const add = async (position_ms: number) =>
    (await library.ask(createCue, { params: { id }, body: { position_ms, label: `at ${position_ms}` } })).body
      .data.id;
  const [onBeat, offBeat] = [await add(10_400), await add(12_611)];
  const stored = async () => {
    const { cues } = (await library.ask(listCues, { params: { id } })).body.data;
    return [onBeat, offBeat].map((cueId) => cues.find((cue) => cue.id === cueId)?.position_ms);
  };
  assert.deepEqual(await stored(), [10_400, 12_611]);
  await edit({ edit: 'shift_ms', ms: 23 });
  assert.deepEqual(await stored(), [10_423, 12_611]);
  await edit({ edit: 'undo' });
  assert.deepEqual(await stored(), [10_400, 12_611]);
});

test('cue points and loops of decks move with an edited grid if they are on it', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const track_id = await studio.addTrack(8);
  await analyzeBeats(library, track_id, { bpm: 120 });
  const mine = await studio.open();
  await mine.act('load_track', { deck: 'a', track_id });
  await mine.act('set_cue', { deck: 'a', position_ms: 1400 });
  await mine.act('set_hot_cue', {
    deck: 'a',
    slot: 1,
    cue: { position_ms: 2400, end_ms: null, label: '', color: '#ff5d5d', cue_point_id: null },
  });
  await mine.act('set_hot_cue', {
    deck: 'a',
    slot: 2,
    cue: { position_ms: 2650, end_ms: null, label: '', color: '#ff5d5d', cue_point_id: null },
  });
  await mine.act('set_loop', { deck: 'a', loop: { start_ms: 2400, end_ms: 4400, active: false } });
  const body = { edit: 'shift_ms', ms: 23 };
  await library.ask(editBeatGrid, { params: { id: track_id }, body });
  const { cue_ms, hot_cues, loop } = (await sessionNow(studio)).decks.a;
  const rounded = [cue_ms, loop?.start_ms, loop?.end_ms, ...hot_cues.map((cue) => cue.position_ms)];
  assert.deepEqual(
    rounded.map((ms) => Math.round(ms ?? Number.NaN)),
    [1423, 2423, 4423, 2423, 2650],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCue } from '@stem-studio/contract/endpoints/cues';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { closeCodes } from '@stem-studio/contract/frame';
import { deckBounds } from '@stem-studio/contract/limits';
import { insertFoundCue, openDeckStudio, sessionNow } from '../../testing/deck-studio.ts';
import { liveSocket, logIn, openDeckWindow } from '../../testing/deck-windows.ts';
import { startServiceProcess } from '../../testing/service-process.ts';
import { connectClient, joined, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { sweepDeckSessions } from './decks.service.ts';

test('tracks, positions, loops, cues, mixer and crossfader curve survive a reload', async (t) => {
  const studio = await openDeckStudio(t);
  const track_id = await studio.addTrack();
  const mine = await studio.open();
  const cue = { position_ms: 250.5, end_ms: null, label: 'Drop', color: '#FF5D5D', cue_point_id: null };
  const loop = { start_ms: 500, end_ms: 1000, active: true };
  for (const deck of ['a', 'b']) await mine.act('load_track', { deck, track_id });
  await mine.act('set_hot_cue', { deck: 'a', slot: 3, cue });
  await mine.act('set_cue', { deck: 'a', position_ms: 125 });
  await mine.act('set_loop', { deck: 'b', loop, position_ms: 600 });
  await mine.act('seek', { deck: 'a', position_ms: 1500 });
  await mine.act('set_deck', { deck: 'b', changes: { tempo_range: 16, is_key_locked: false } });
  await mine.act('set_strip', { deck: 'b', changes: { eq_low: -1, kill_high: true } });
  const mixer = { crossfader: -0.25, crossfader_curve: 'constant power', sound_client: 'window-one' };
  await mine.act('set_mixer', { changes: mixer });
  mine.socket.disconnect();
  const { decks, mixer: kept, version } = await sessionNow(studio);
  assert.equal(version, 9);
  assert.deepEqual(decks.a.hot_cues, [{ ...cue, slot: 3, color: '#ff5d5d' }]);
  assert.deepEqual([decks.a.track_id, decks.a.cue_ms, decks.a.position_ms], [track_id, 125, 1500]);
  assert.deepEqual(decks.b.loop, loop);
  assert.deepEqual([decks.b.tempo_range, decks.b.is_key_locked], [16, false]);
  assert.deepEqual([decks.b.strip.eq_low, decks.b.strip.kill_high], [-1, true]);
  assert.deepEqual({ ...kept, ...mixer }, kept);
});

test('only a downloaded track of the caller can be loaded, with its tempo and best cue points', async (t) => {
  const studio = await openDeckStudio(t);
  const { library } = studio;
  const { context, registerUser, user } = library;
  const track_id = await studio.addTrack();
  // Nine detected cues, the most useful last in the track, and two set by the owner after them.
  for (let rank = 1; rank <= 9; rank++) await insertFoundCue(library, track_id, rank, (10 - rank) * 100);
  for (const position_ms of [1800, 1500])
    await library.ask(createCue, { params: { id: track_id }, body: { position_ms, label: 'Mine' } });
  await context.db.updateTable('tracks').set({ bpm: 117.25 }).where('id', '=', track_id).execute();
  const mine = await studio.open();
  const { state } = await mine.act('load_track', { deck: 'b', track_id });
  assert.deepEqual([state?.track_bpm, state?.duration_ms, state?.hot_cues.length], [117.25, 2000, 8]);
  assert.deepEqual(
    state?.hot_cues.map(({ slot, position_ms, label }) => [slot, position_ms, label]),
    [
      [0, 400, 'Found 6'],
      [1, 500, 'Found 5'],
      [2, 600, 'Found 4'],
      [3, 700, 'Found 3'],
      [4, 800, 'Found 2'],
      [5, 900, 'Found 1'],
      [6, 1500, 'Mine'],
      [7, 1800, 'Mine'],
    ],
  );

  const stranger = await registerUser();
  const theirs = await insertTestTrack(context, stranger.id);
  const bare = await insertTestTrack(context, user.id);
  const refusalOf = async (id: string) => {
    const answered = await mine.send('load_track', { deck: 'a', track_id: id });
    return 'error' in answered ? answered.error['code'] : null;
  };
  assert.deepEqual(
    [await refusalOf(theirs), await refusalOf(stranger.token), await refusalOf(bare)],
    ['NOT_FOUND', 'VALIDATION_ERROR', 'TRACK_NOT_DOWNLOADED'],
  );
  assert.equal((await sessionNow(studio)).decks.a.track_id, null);
});

test('a deleted track is removed from the decks that hold it, and every window is notified', async (t) => {
  const studio = await openDeckStudio(t);
  const track_id = await studio.addTrack();
  const mine = await studio.open();
  for (const deck of ['a', 'b']) await mine.act('load_track', { deck, track_id });
  await mine.act('play', { deck: 'a' });
  await studio.library.ask(deleteTrack, { params: { id: track_id } });
  await until(() => mine.pushes.length === 3);
  assert.deepEqual(
    mine.pushes.map((push) => [push.event, push.version, push.more ?? false]),
    [
      ['deck_update', 4, true],
      ['deck_update', 4, true],
      ['mixer_update', 4, false],
    ],
  );
  const { decks } = await sessionNow(studio);
  assert.deepEqual([decks.a.track_id, decks.a.is_playing, decks.b.track_id], [null, false, null]);
});

test('each login has one session, a token has none, and other users and admins get 404', async (t) => {
  const studio = await openDeckStudio(t);
  const { context, registerUser, user } = studio.library;
  const [mine, same] = await Promise.all([studio.open(), studio.open()]);
  assert.equal(mine.welcome.session.id, same.welcome.session.id);
  const another = await studio.open(await logIn(context, user));
  assert.notEqual(another.welcome.session.id, mine.welcome.session.id);
  const topics = [`decks:${mine.welcome.session.id}`, `deck_debug:${mine.welcome.session.id}`];
  const refused = { status: 'error', response: { reason: 'not_found' } };
  for (const role of ['user', 'admin', 'platform_admin'] as const) {
    const socket = liveSocket(t, studio.address, await logIn(context, await registerUser(role)));
    socket.connect();
    for (const topic of topics)
      assert.deepEqual(await joined(socket.channel(topic)), refused, `${role} ${topic}`);
  }
  const byToken = connectClient(t, socketUrl(studio.address), { params: { token: user.token } });
  for (const topic of ['decks:current', ...topics])
    assert.deepEqual(await joined(byToken.channel(topic)), refused, topic);
  assert.deepEqual(await joined(mine.socket.channel('deck_debug:current')), refused);
});

test("windows on two processes receive each other's messages and never their own", async (t) => {
  const studio = await openDeckStudio(t);
  const { context } = studio.library;
  const services = await Promise.all([
    startServiceProcess(context, 'serve'),
    startServiceProcess(context, 'serve'),
  ]);
  const windows = await Promise.all(
    [...services, ...services].map(({ address }) => openDeckWindow(t, address, studio.login)),
  );
  for (const [i, one] of windows.entries())
    await one.act('set_strip', { deck: 'a', changes: { volume: i / 10 } });
  await until(() => windows.every(({ pushes }) => pushes.length === 3));
  for (const [i, { pushes }] of windows.entries())
    assert.deepEqual(
      pushes.map(({ version }) => version),
      [1, 2, 3, 4].filter((version) => version !== i + 1),
    );

  // The debug log is open in one process and receives messages of the other.
  const [one, two] = services;
  const panel = liveSocket(t, two.address, studio.login);
  panel.connect();
  const log = panel.channel(`deck_debug:${windows[0]?.welcome.session.id}`);
  const lines: unknown[] = [];
  log.on('debug_log', ({ event }: { event: string }) => void lines.push(event));
  assert.deepEqual(await joined(log), { status: 'ok', response: {} });
  const sender = await openDeckWindow(t, one.address, studio.login);
  await sender.act('set_mixer', { changes: { crossfader: 1 } });
  await until(() => lines.length > 0);
  assert.deepEqual(lines, ['set_mixer']);
});

test('the session ends with the login, and after a day without activity', async (t) => {
  const studio = await openDeckStudio(t);
  const { context } = studio.library;
  const mine = await studio.open();
  const count = async () => (await context.db.selectFrom('deck_sessions').select('id').execute()).length;
  const expires_at = new Date(context.clock.now().getTime() + 3 * deckBounds.idleSeconds * 1000);
  await context.db.updateTable('login_sessions').set({ expires_at }).execute();
  studio.clock.advance(deckBounds.idleSeconds - 60);
  await sweepDeckSessions(context);
  assert.equal(await count(), 1);
  studio.clock.advance(120);
  await sweepDeckSessions(context);
  assert.equal(await count(), 0);
  const gone = await mine.send('set_mixer', { changes: { crossfader: 1 } });
  assert.equal('error' in gone && gone.error['code'], 'NOT_FOUND');

  const again = await studio.open();
  assert.notEqual(again.welcome.session.id, mine.welcome.session.id);
  const socket = await rawClient(
    t,
    socketUrl(studio.address, '/live'),
    new URLSearchParams({ vsn: '2.0.0', _csrf_token: studio.login.csrf }).toString(),
    { cookie: studio.login.cookie, origin: studio.address },
  );
  const { cookie, csrf } = studio.login;
  const reply = await studio.library.app.inject({
    method: 'DELETE',
    url: '/users/log-out',
    headers: { cookie, 'x-csrf-token': csrf, host: new URL(studio.address).host },
  });
  assert.equal(reply.statusCode, 303);
  assert.equal((await socket.closed).code, closeCodes.loginEnded);
  assert.equal(await count(), 0);
});

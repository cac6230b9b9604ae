import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import { createCue } from '@stem-studio/contract/endpoints/cues';
import { deleteTrack } from '@stem-studio/contract/endpoints/tracks';
import { deckDebugChannel } from '@stem-studio/contract/events/decks';
import { closeCodes } from '@stem-studio/contract/frame';
import { deckBounds } from '@stem-studio/contract/limits';
import { type Booth, insertFoundCue, openBooth } from '../../testing/deck-booth.ts';
import { liveSocket, logIn, openDeckWindow } from '../../testing/deck-windows.ts';
import { startServiceProcess } from '../../testing/service-process.ts';
import { connectClient, joined, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { sweepDeckSessions } from './decks.service.ts';

/** The session as the database has it, told to a window that joins. */
async function sessionNow(booth: Booth) {
  const { welcome, socket } = await booth.open();
  socket.disconnect();
  return welcome.session;
}

test('toggle_play takes A for a; the other windows hear of it, the sender does not', async (t) => {
  const booth = await openBooth(t);
  const track_id = await booth.addTrack();
  const [mine, other, third] = await Promise.all([booth.open(), booth.open(), booth.open()]);
  assert.equal(mine.welcome.session.id, other.welcome.session.id);
  const loaded = await mine.act('load_track', { deck: 'a', track_id });
  assert.deepEqual([loaded.accepted, loaded.version, loaded.state?.track_id], [true, 1, track_id]);
  const played = await mine.act('toggle_play', { deck: 'A', position_ms: 500 });
  assert.equal(played.version, 2);
  await other.act('set_strip', { deck: 'b', changes: { volume: 0.5 } });
  await until(() => mine.heard.length === 1 && other.heard.length === 3 && third.heard.length === 4);
  assert.deepEqual(
    third.heard.map((push) => [push.event, push.version, push.more ?? false]),
    [
      ['deck_update', 1, false],
      ['deck_update', 2, true],
      ['mixer_update', 2, false],
      ['deck_update', 3, false],
    ],
  );
  const [, playing, mixer] = third.heard;
  assert.ok(playing?.event === 'deck_update' && playing.deck === 'a' && playing.state.is_playing);
  assert.equal(playing.state.position_ms, 500);
  assert.equal(playing.state.position_at, played.taken_at);
  assert.ok(mixer?.event === 'mixer_update' && mixer.mixer.master_deck === 'a');
  assert.deepEqual(mine.heard, third.heard.slice(3));
});

test('with master sync a tempo of deck A is told of both decks', async (t) => {
  const booth = await openBooth(t);
  const { context } = booth.library;
  const [mine, other] = await Promise.all([booth.open(), booth.open()]);
  for (const [deck, bpm] of [
    ['a', 126],
    ['b', 120],
  ] as const) {
    const track_id = await booth.addTrack();
    await context.db.updateTable('tracks').set({ bpm }).where('id', '=', track_id).execute();
    const { state } = await mine.act('load_track', { deck, track_id });
    assert.equal(state?.track_bpm, bpm);
  }
  await mine.act('set_mixer', { changes: { is_master_synced: true } });
  await until(() => other.heard.length >= 4);
  other.heard.length = 0;
  const { version } = await mine.act('update_bpm', { deck: 'a', bpm: 132 });
  await until(() => other.heard.length === 2);
  assert.deepEqual(
    other.heard.map((push) => push.event === 'deck_update' && [push.deck, push.version, push.more ?? false]),
    [
      ['a', version, true],
      ['b', version, false],
    ],
  );
  const [, b] = other.heard;
  assert.ok(b?.event === 'deck_update');
  assert.equal((120 * (1 + b.state.tempo_percent / 100)).toFixed(6), '132.000000');
});

test('tracks, places, loops, cues, mixer and curve are there after a reload', async (t) => {
  const booth = await openBooth(t);
  const track_id = await booth.addTrack();
  const mine = await booth.open();
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
  const { decks, mixer: kept, version } = await sessionNow(booth);
  assert.equal(version, 9);
  assert.deepEqual(decks.a.hot_cues, [{ ...cue, slot: 3, color: '#ff5d5d' }]);
  assert.deepEqual([decks.a.track_id, decks.a.cue_ms, decks.a.position_ms], [track_id, 125, 1500]);
  assert.deepEqual(decks.b.loop, loop);
  assert.deepEqual([decks.b.tempo_range, decks.b.is_key_locked], [16, false]);
  assert.deepEqual([decks.b.strip.eq_low, decks.b.strip.kill_high], [-1, true]);
  assert.deepEqual({ ...kept, ...mixer }, kept);
});

test('at most one tempo in five seconds is taken of a deck, by whichever name and from whichever window', async (t) => {
  const booth = await openBooth(t);
  const track_id = await booth.addTrack();
  const [mine, other] = await Promise.all([booth.open(), booth.open()]);
  for (const deck of ['a', 'b']) await mine.act('load_track', { deck, track_id });
  assert.equal((await mine.act('update_bpm', { deck: 'a', bpm: 121 })).accepted, true);
  booth.clock.advance(1);
  const early = await other.act('set_bpm', { deck: 'a', bpm: 122 });
  assert.equal(early.accepted, false);
  assert.ok((early.retry_after ?? 0) > 3 && (early.retry_after ?? 9) <= 4, `${early.retry_after}`);
  assert.equal((await mine.act('set_bpm', { deck: 'b', bpm: 122 })).accepted, true);
  booth.clock.advance(early.retry_after ?? 0);
  assert.equal((await other.act('set_bpm', { deck: 'a', bpm: 123 })).accepted, true);
  const { decks } = await sessionNow(booth);
  assert.equal(decks.a.tempo_percent.toFixed(6), '2.500000');
});

test('a message that comes late or twice changes nothing, even from a window that has come back', async (t) => {
  const booth = await openBooth(t);
  const track_id = await booth.addTrack();
  const [mine, other] = await Promise.all([booth.open(), booth.open()]);
  const client = 'window-one';
  await mine.act('load_track', { deck: 'a', track_id, client, seq: 1 });
  await mine.act('toggle_play', { deck: 'a', client, seq: 5 });
  await until(() => other.heard.length === 3);
  const again = await booth.open();
  assert.deepEqual(again.welcome.taken, [{ client, seq: 5 }]);
  for (const [event, more, seq] of [
    ['toggle_play', {}, 5],
    ['toggle_play', {}, 4],
    ['seek', { position_ms: 7 }, 2],
  ] as const) {
    const reply = await again.act(event, { deck: 'a', client, seq, ...more });
    assert.deepEqual(reply, { accepted: false, version: 2 });
  }
  assert.deepEqual(await other.act('set_cue', { deck: 'b', position_ms: 5, client: 'window-two', seq: 1 }), {
    accepted: true,
    version: 2,
  });
  assert.equal((await sessionNow(booth)).version, 2);
  assert.equal((await other.act('pause', { deck: 'a', client: 'window-two', seq: 2 })).version, 3);
  assert.equal(other.heard.length, 3);
});

test('what has no effect makes no version and is told to nobody', async (t) => {
  const booth = await openBooth(t);
  const [mine, other] = await Promise.all([booth.open(), booth.open()]);
  for (const [event, payload] of [
    ['play', { deck: 'a' }],
    ['seek', { deck: 'b', position_ms: 3 }],
    ['trigger_cue', { deck: 'a', slot: 0 }],
    ['set_strip', { deck: 'a', changes: { volume: 1 } }],
    ['set_mixer', { changes: { crossfader: 0 } }],
    ['update_volume', { deck: 'a', stem_type: 'vocals', volume: 0.5 }],
  ] as const)
    assert.deepEqual(await mine.act(event, payload), { accepted: true, version: 0 }, event);
  await mine.act('set_mixer', { changes: { crossfader: 1 } });
  await until(() => other.heard.length > 0);
  assert.deepEqual(
    other.heard.map(({ version }) => version),
    [1],
  );
});

test('a playing deck says where it is: at most once a second, and a paused one goes on from there', async (t) => {
  const booth = await openBooth(t);
  const track_id = await booth.addTrack();
  const [mine, other] = await Promise.all([booth.open(), booth.open()]);
  await mine.act('load_track', { deck: 'a', track_id });
  await mine.act('play', { deck: 'a', position_ms: 0 });
  assert.equal((await mine.act('report_position', { deck: 'a', position_ms: 400 })).accepted, true);
  assert.equal((await mine.act('report_position', { deck: 'a', position_ms: 500 })).accepted, false);
  booth.clock.advance(1.1);
  assert.equal((await mine.act('report_position', { deck: 'a', position_ms: 600 })).accepted, true);
  await until(() => other.heard.length === 5);
  const last = other.heard.at(-1);
  assert.ok(last?.event === 'deck_update');
  assert.equal(last.state.position_ms, 600);
  assert.equal(deckPositionMs(last.state, last.state.position_at + 300), 900);
  // Where a deck came to stand is told once, and not again two seconds later.
  await mine.act('pause', { deck: 'a', position_ms: 610 });
  for (const position_ms of [612, 613])
    assert.equal((await mine.act('report_position', { deck: 'a', position_ms })).accepted, true);
});

test('only a track of the caller that has its sound can be loaded, with its tempo and best cue points', async (t) => {
  const booth = await openBooth(t);
  const { library } = booth;
  const { context, registerUser, user } = library;
  const track_id = await booth.addTrack();
  // Nine that were found, the most useful last in the song, and two that the owner set behind them.
  for (let rank = 1; rank <= 9; rank++) await insertFoundCue(library, track_id, rank, (10 - rank) * 100);
  for (const position_ms of [1800, 1500])
    await library.ask(createCue, { params: { id: track_id }, body: { position_ms, label: 'Mine' } });
  await context.db.updateTable('tracks').set({ bpm: 117.25 }).where('id', '=', track_id).execute();
  const mine = await booth.open();
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
  assert.equal((await sessionNow(booth)).decks.a.track_id, null);
});

test('a track that is deleted leaves the decks that hold it, and every window is told', async (t) => {
  const booth = await openBooth(t);
  const track_id = await booth.addTrack();
  const mine = await booth.open();
  for (const deck of ['a', 'b']) await mine.act('load_track', { deck, track_id });
  await mine.act('play', { deck: 'a' });
  await booth.library.ask(deleteTrack, { params: { id: track_id } });
  await until(() => mine.heard.length === 3);
  assert.deepEqual(
    mine.heard.map((push) => [push.event, push.version, push.more ?? false]),
    [
      ['deck_update', 4, true],
      ['deck_update', 4, true],
      ['mixer_update', 4, false],
    ],
  );
  const { decks } = await sessionNow(booth);
  assert.deepEqual([decks.a.track_id, decks.a.is_playing, decks.b.track_id], [null, false, null]);
});

test('a login has one session of its own; a token has none; others find nothing, admins neither', async (t) => {
  const booth = await openBooth(t);
  const { context, registerUser, user } = booth.library;
  const [mine, same] = await Promise.all([booth.open(), booth.open()]);
  assert.equal(mine.welcome.session.id, same.welcome.session.id);
  const another = await booth.open(await logIn(context, user));
  assert.notEqual(another.welcome.session.id, mine.welcome.session.id);
  const topics = [`decks:${mine.welcome.session.id}`, `deck_debug:${mine.welcome.session.id}`];
  const refused = { status: 'error', response: { reason: 'not_found' } };
  for (const role of ['user', 'admin', 'platform_admin'] as const) {
    const socket = liveSocket(t, booth.address, await logIn(context, await registerUser(role)));
    socket.connect();
    for (const topic of topics)
      assert.deepEqual(await joined(socket.channel(topic)), refused, `${role} ${topic}`);
  }
  const byToken = connectClient(t, socketUrl(booth.address), { params: { token: user.token } });
  for (const topic of ['decks:current', ...topics])
    assert.deepEqual(await joined(byToken.channel(topic)), refused, topic);
  assert.deepEqual(await joined(mine.socket.channel('deck_debug:current')), refused);
});

test('the debug log flows while somebody reads it, in whatever was taken, late or refused', async (t) => {
  const booth = await openBooth(t);
  const { context } = booth.library;
  const mine = await booth.open();
  const { id } = mine.welcome.session;
  const published: string[] = [];
  context.bus.subscribe(`deck_debug:${id}`, ({ event }) => void published.push(event))();
  const client = 'window-one';
  await mine.act('set_mixer', { changes: { crossfader: 0.5 }, client, seq: 1 });
  const panel = liveSocket(t, booth.address, booth.login);
  panel.connect();
  const log = panel.channel(`deck_debug:${id}`);
  const lines: unknown[] = [];
  log.on('debug_log', (line: unknown) => {
    const { event, deck, accepted, version, detail } = deckDebugChannel.pushes.debug_log.parse(line);
    lines.push([event, deck, accepted, version, detail]);
  });
  assert.deepEqual(await joined(log), { status: 'ok', response: {} });
  await mine.act('set_mixer', { changes: { crossfader: 1 }, client, seq: 2 });
  await mine.act('pause', { deck: 'b', client, seq: 1 });
  await mine.send('load_track', { deck: 'a', track_id: id });
  await until(() => lines.length === 3);
  assert.deepEqual(lines, [
    ['set_mixer', null, true, 2, `{"client":"${client}","seq":2,"changes":{"crossfader":1}}`],
    ['pause', 'b', false, 2, `late, twice, or too soon: {"client":"${client}","seq":1}`],
    ['load_track', 'a', false, 2, `track not found: {"track_id":"${id}"}`],
  ]);
  // Who reads it no longer is told nothing, and soon nothing is written either.
  log.leave();
  await until(() => context.bus.topicsOf('deck_debug:').length === 0);
  booth.clock.advance(26);
  const heard: string[] = [];
  context.bus.subscribe(`deck_debug:${id}`, ({ event }) => void heard.push(event));
  await mine.act('set_mixer', { changes: { crossfader: 0 } });
  await mine.act('set_mixer', { changes: { crossfader: 0.1 } });
  assert.deepEqual([lines.length, heard], [3, []]);
});

test('windows on two processes of the service hear each other and never themselves', async (t) => {
  const booth = await openBooth(t);
  const { context } = booth.library;
  const services = await Promise.all([
    startServiceProcess(context, 'serve'),
    startServiceProcess(context, 'serve'),
  ]);
  const windows = await Promise.all(
    [...services, ...services].map(({ address }) => openDeckWindow(t, address, booth.login)),
  );
  for (const [i, one] of windows.entries())
    await one.act('set_strip', { deck: 'a', changes: { volume: i / 10 } });
  await until(() => windows.every(({ heard }) => heard.length === 3));
  for (const [i, { heard }] of windows.entries())
    assert.deepEqual(
      heard.map(({ version }) => version),
      [1, 2, 3, 4].filter((version) => version !== i + 1),
    );

  // The debug log is open in one process, and tells what comes to the other.
  const [one, two] = services;
  const panel = liveSocket(t, two.address, booth.login);
  panel.connect();
  const log = panel.channel(`deck_debug:${windows[0]?.welcome.session.id}`);
  const lines: unknown[] = [];
  log.on('debug_log', ({ event }: { event: string }) => void lines.push(event));
  assert.deepEqual(await joined(log), { status: 'ok', response: {} });
  const sender = await openDeckWindow(t, one.address, booth.login);
  await sender.act('set_mixer', { changes: { crossfader: 1 } });
  await until(() => lines.length > 0);
  assert.deepEqual(lines, ['set_mixer']);
});

test('the session ends with the login, and after a day in which nothing was done', async (t) => {
  const booth = await openBooth(t);
  const { context } = booth.library;
  const mine = await booth.open();
  const count = async () => (await context.db.selectFrom('deck_sessions').select('id').execute()).length;
  const expires_at = new Date(context.clock.now().getTime() + 3 * deckBounds.idleSeconds * 1000);
  await context.db.updateTable('login_sessions').set({ expires_at }).execute();
  booth.clock.advance(deckBounds.idleSeconds - 60);
  await sweepDeckSessions(context);
  assert.equal(await count(), 1);
  booth.clock.advance(120);
  await sweepDeckSessions(context);
  assert.equal(await count(), 0);
  const gone = await mine.send('set_mixer', { changes: { crossfader: 1 } });
  assert.equal('error' in gone && gone.error['code'], 'NOT_FOUND');

  const again = await booth.open();
  assert.notEqual(again.welcome.session.id, mine.welcome.session.id);
  const socket = await rawClient(
    t,
    socketUrl(booth.address, '/live'),
    new URLSearchParams({ vsn: '2.0.0', _csrf_token: booth.login.csrf }).toString(),
    { cookie: booth.login.cookie, origin: booth.address },
  );
  const { cookie, csrf } = booth.login;
  const reply = await booth.library.app.inject({
    method: 'DELETE',
    url: '/users/log-out',
    headers: { cookie, 'x-csrf-token': csrf, host: new URL(booth.address).host },
  });
  assert.equal(reply.statusCode, 303);
  assert.equal((await socket.closed).code, closeCodes.loginEnded);
  assert.equal(await count(), 0);
});

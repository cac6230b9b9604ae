import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import { deckDebugChannel } from '@stem-studio/contract/events/decks';
import { openDeckStudio, sessionNow } from '../../testing/deck-studio.ts';
import { liveSocket } from '../../testing/deck-windows.ts';
import { joined, until } from '../../testing/socket-client.ts';
import { createStillClock } from '../../testing/test-clock.ts';

test('toggle_play toggles deck a for the name A; only the other windows are notified', async (t) => {
  const studio = await openDeckStudio(t);
  const track_id = await studio.addTrack();
  const [mine, other, third] = await Promise.all([studio.open(), studio.open(), studio.open()]);
  assert.equal(mine.welcome.session.id, other.welcome.session.id);
  const loaded = await mine.act('load_track', { deck: 'a', track_id });
  assert.deepEqual([loaded.accepted, loaded.version, loaded.state?.track_id], [true, 1, track_id]);
  const played = await mine.act('toggle_play', { deck: 'A', position_ms: 500 });
  assert.equal(played.version, 2);
  await other.act('set_strip', { deck: 'b', changes: { volume: 0.5 } });
  await until(() => mine.pushes.length === 1 && other.pushes.length === 3 && third.pushes.length === 4);
  assert.deepEqual(
    third.pushes.map((push) => [push.event, push.version, push.more ?? false]),
    [
      ['deck_update', 1, false],
      ['deck_update', 2, true],
      ['mixer_update', 2, false],
      ['deck_update', 3, false],
    ],
  );
  const [, playing, mixer] = third.pushes;
  assert.ok(playing?.event === 'deck_update' && playing.deck === 'a' && playing.state.is_playing);
  assert.equal(playing.state.position_ms, 500);
  assert.equal(playing.state.position_at, played.taken_at);
  assert.ok(mixer?.event === 'mixer_update' && mixer.mixer.master_deck === 'a');
  assert.deepEqual(mine.pushes, third.pushes.slice(3));
});

test('with master sync a tempo of deck A is published for both decks', async (t) => {
  const studio = await openDeckStudio(t);
  const { context } = studio.library;
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
  for (const [deck, bpm] of [
    ['a', 126],
    ['b', 120],
  ] as const) {
    const track_id = await studio.addTrack();
    await context.db.updateTable('tracks').set({ bpm }).where('id', '=', track_id).execute();
    const { state } = await mine.act('load_track', { deck, track_id });
    assert.equal(state?.track_bpm, bpm);
  }
  await mine.act('set_mixer', { changes: { is_master_synced: true } });
  await until(() => other.pushes.length >= 4);
  other.pushes.length = 0;
  const { version } = await mine.act('update_bpm', { deck: 'a', bpm: 132 });
  await until(() => other.pushes.length === 2);
  assert.deepEqual(
    other.pushes.map((push) => push.event === 'deck_update' && [push.deck, push.version, push.more ?? false]),
    [
      ['a', version, true],
      ['b', version, false],
    ],
  );
  const [, b] = other.pushes;
  assert.ok(b?.event === 'deck_update');
  assert.equal((120 * (1 + b.state.tempo_percent / 100)).toFixed(6), '132.000000');
});

test('a deck accepts at most one tempo in five seconds, under any name and from any window', async (t) => {
  const studio = await openDeckStudio(t, createStillClock());
  const track_id = await studio.addTrack();
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
  for (const deck of ['a', 'b']) await mine.act('load_track', { deck, track_id });
  assert.equal((await mine.act('update_bpm', { deck: 'a', bpm: 121 })).accepted, true);
  studio.clock.advance(1);
  const early = await other.act('set_bpm', { deck: 'a', bpm: 122 });
  assert.equal(early.accepted, false);
  assert.equal(early.retry_after, 4);
  assert.equal((await mine.act('set_bpm', { deck: 'b', bpm: 122 })).accepted, true);
  studio.clock.advance(early.retry_after ?? 0);
  assert.equal((await other.act('set_bpm', { deck: 'a', bpm: 123 })).accepted, true);
  const { decks } = await sessionNow(studio);
  assert.equal(decks.a.tempo_percent.toFixed(6), '2.500000');
});

test('a late or repeated message changes nothing, even from a window that reconnected', async (t) => {
  const studio = await openDeckStudio(t);
  const track_id = await studio.addTrack();
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
  const client = 'window-one';
  await mine.act('load_track', { deck: 'a', track_id, client, seq: 1 });
  await mine.act('toggle_play', { deck: 'a', client, seq: 5 });
  await until(() => other.pushes.length === 3);
  const again = await studio.open();
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
  assert.equal((await sessionNow(studio)).version, 2);
  assert.equal((await other.act('pause', { deck: 'a', client: 'window-two', seq: 2 })).version, 3);
  assert.equal(
    (await again.act('set_strip', { deck: 'b', changes: { volume: 0.5 }, client, seq: 6 })).version,
    4,
  );
  await until(() => other.pushes.at(-1)?.version === 4);
  assert.equal(other.pushes.length, 4);
});

test('a message without effect creates no version and is not published', async (t) => {
  const studio = await openDeckStudio(t);
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
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
  await until(() => other.pushes.length > 0);
  assert.deepEqual(
    other.pushes.map(({ version }) => version),
    [1],
  );
});

test('a playing deck reports its position at most once a second, and the position is extrapolated from it', async (t) => {
  const studio = await openDeckStudio(t, createStillClock());
  const track_id = await studio.addTrack();
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
  await mine.act('load_track', { deck: 'a', track_id });
  await mine.act('play', { deck: 'a', position_ms: 0 });
  assert.equal((await mine.act('report_position', { deck: 'a', position_ms: 400 })).accepted, true);
  assert.equal((await mine.act('report_position', { deck: 'a', position_ms: 500 })).accepted, false);
  studio.clock.advance(1.1);
  assert.equal((await mine.act('report_position', { deck: 'a', position_ms: 600 })).accepted, true);
  await until(() => other.pushes.length === 5);
  const last = other.pushes.at(-1);
  assert.ok(last?.event === 'deck_update');
  assert.equal(last.state.position_ms, 600);
  assert.equal(deckPositionMs(last.state, last.state.position_at + 300), 900);
  // The position at which a deck paused is reported once, and not again two seconds later.
  await mine.act('pause', { deck: 'a', position_ms: 610 });
  for (const position_ms of [612, 613])
    assert.equal((await mine.act('report_position', { deck: 'a', position_ms })).accepted, true);
});

test('the debug log receives accepted, late and rejected messages while a reader has it open', async (t) => {
  const studio = await openDeckStudio(t);
  const { context } = studio.library;
  const [mine, other] = await Promise.all([studio.open(), studio.open()]);
  const { id } = mine.welcome.session;
  const client = 'window-one';
  await mine.act('set_mixer', { changes: { crossfader: 0.5 }, client, seq: 1 });
  const panel = liveSocket(t, studio.address, studio.login);
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
  // After leaving, the reader receives nothing, and soon nothing is written either.
  log.leave();
  await until(() => context.bus.topicsOf('deck_debug:').length === 0);
  studio.clock.advance(26);
  const events: string[] = [];
  context.bus.subscribe(`deck_debug:${id}`, ({ event }) => void events.push(event));
  await mine.act('set_mixer', { changes: { crossfader: 0 } });
  const { version } = await mine.act('set_mixer', { changes: { crossfader: 0.1 } });
  // An entry for the first message would arrive before the update for the second.
  await until(() => other.pushes.at(-1)?.version === version);
  assert.deepEqual([lines.length, events], [3, []]);
});

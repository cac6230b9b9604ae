import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { createDeckFixture as createFixture, loadA } from './decks/testing/deck-fixture.ts';
import { separation, tracks } from './decks/testing/deck-rules.ts';

test('applies a message in its window immediately and soon after in the other windows', async (t) => {
  const { rules, pass, open } = createFixture(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  assert.equal(one.decks.state.decks.a.track_id, tracks[0]);
  await pass(100);
  // Data known only to the service has arrived with its reply.
  for (const { decks } of [one, two]) assert.equal(decks.state.decks.a.track_bpm, 126);
  two.decks.dispatch({ event: 'toggle_play', deck: 'a' });
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 0.5 } });
  await pass(100);
  for (const { decks } of [one, two]) {
    assert.equal(decks.state.decks.a.is_playing, true);
    assert.equal(decks.state.mixer.crossfader, 0.5);
  }
  assert.equal(rules.record.version, 4);
  assert.deepEqual([one.statuses, two.statuses], [['joined'], ['joined']]);
});

test('sends a tempo immediately, and the last of the following ones after five seconds', async (t) => {
  const { rules, hub, pass, open } = createFixture(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  await pass(100);
  for (let bpm = 127; bpm <= 136; bpm++) {
    one.decks.dispatch({ event: 'update_bpm', deck: 'a', bpm });
    await pass(300);
  }
  const sentTempos = () =>
    hub.received.flatMap((message) => (message.event === 'update_bpm' ? [message.bpm] : []));
  assert.deepEqual(sentTempos(), [127]);
  assert.equal(one.decks.state.decks.a.tempo_percent.toFixed(3), (100 * (136 / 126 - 1)).toFixed(3));
  await pass(2500);
  assert.deepEqual(sentTempos(), [127, 136]);
  // The tempo of another window counts as well: the message is refused with a retry time and sent again then.
  two.decks.dispatch({ event: 'update_bpm', deck: 'a', bpm: 140 });
  await pass(5500);
  assert.deepEqual(sentTempos(), [127, 136, 140, 140]);
  assert.equal(rules.record.state.decks.a.tempo_percent.toFixed(3), (100 * (140 / 126 - 1)).toFixed(3));
  assert.deepEqual(one.decks.state.decks.a.tempo_percent, two.decks.state.decks.a.tempo_percent);
});

test('sends continuous controls within the rate limit of a socket, and always their last values', async (t) => {
  const { rules, hub, pass, open } = createFixture(t);
  const { decks } = await open('window-one');
  hub.received.length = 0;
  for (let step = 1; step <= 1000; step++) {
    decks.dispatch({ event: 'set_mixer', changes: { crossfader: Math.sin(step) } });
    decks.dispatch({ event: 'set_strip', deck: 'a', changes: { volume: step / 1000 } });
    if (step % 100 === 0)
      decks.dispatch({ event: 'set_strip', deck: 'b', changes: { kill_low: step % 200 === 0 } });
    await pass(10);
  }
  assert.ok(
    hub.received.length > 100 && hub.received.length < socketLimits.messages - 10,
    `${hub.received.length}`,
  );
  await pass(500);
  const { decks: kept, mixer } = rules.record.state;
  assert.deepEqual([mixer.crossfader, kept.a.strip.volume, kept.b.strip.kill_low], [Math.sin(1000), 1, true]);
});

test('sends messages made during a disconnection once after the reconnection', async (t) => {
  const { rules, hub, pass, open } = createFixture(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  await pass(100);
  // One message is in flight when the connection breaks, and its reply is lost.
  one.decks.dispatch({ event: 'toggle_play', deck: 'a', position_ms: 0 });
  await pass(30);
  hub.isUp = false;
  hub.cut();
  await pass(500);
  assert.deepEqual([one.statuses.at(-1), one.link.sessionId() !== null], ['lost', true]);
  one.decks.dispatch({ event: 'seek', deck: 'a', position_ms: 5000 });
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: -1 } });
  two.decks.dispatch({ event: 'set_strip', deck: 'a', changes: { eq_low: -1 } });
  await pass(500);
  hub.isUp = true;
  await pass(800);
  assert.deepEqual([one.statuses.at(-1), two.statuses.at(-1)], ['joined', 'joined']);
  const { decks, mixer } = rules.record.state;
  assert.deepEqual([decks.a.is_playing, mixer.crossfader, decks.a.strip.eq_low], [true, -1, -1]);
  assert.equal(hub.received.filter(({ event }) => event === 'toggle_play').length, 1);
  for (const window of [one, two]) assert.deepEqual(window.decks.state.mixer, mixer);
  assert.deepEqual(one.decks.state.decks.b, two.decks.state.decks.b);
});

test('sends all messages made on a stalled connection after it recovers, including a tempo', async (t) => {
  const { rules, hub, pass, open } = createFixture(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  one.decks.dispatch(loadA);
  await pass(100);
  hub.isStalled = true;
  const joins = hub.joins;
  for (const message of [
    { event: 'set_strip', deck: 'a', changes: { kill_low: true } },
    { event: 'update_bpm', deck: 'a', bpm: 130 },
    { event: 'set_deck', deck: 'a', changes: { is_quantized: false } },
    { event: 'set_mixer', changes: { crossfader: 0.5 } },
    { event: 'set_deck', deck: 'a', changes: { is_slipping: true } },
    { event: 'set_cue', deck: 'a', position_ms: 2000 },
  ] as const) {
    one.decks.dispatch(message);
    await pass(300);
  }
  await pass(6000);
  assert.equal(one.statuses.at(-1), 'lost');
  await pass(12_000);
  hub.isStalled = false;
  await pass(25_000);
  assert.equal(one.statuses.at(-1), 'joined');
  const { decks, mixer } = rules.record.state;
  const { a } = decks;
  assert.deepEqual(
    [a.strip.kill_low, a.is_quantized, mixer.crossfader, a.is_slipping, a.cue_ms],
    [true, false, 0.5, true, 2000],
  );
  assert.equal(a.tempo_percent.toFixed(3), (100 * (130 / 126 - 1)).toFixed(3));
  for (const window of [one, two]) assert.deepEqual(window.decks.state, rules.record.state);
  assert.ok(hub.joins <= joins + 4, `${hub.joins - joins} joins`);
});

test('does not send the tempo of a previous track for the one loaded on a stalled connection', async (t) => {
  const { rules, hub, pass, open } = createFixture(t);
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  await pass(100);
  hub.isStalled = true;
  one.decks.dispatch({ event: 'update_bpm', deck: 'a', bpm: 130 });
  await pass(100);
  one.decks.dispatch({ event: 'load_track', deck: 'a', track_id: tracks[1] });
  await pass(12_000);
  hub.isStalled = false;
  await pass(25_000);
  const { a } = rules.record.state.decks;
  assert.deepEqual([a.track_id, a.tempo_percent], [tracks[1], 0]);
  assert.deepEqual(one.decks.state, rules.record.state);
});

test('fetches a missing version by joining again', async (t) => {
  const { hub, pass, open } = createFixture(t);
  const [one, two] = [await open('window-one'), await open('window-two')];
  hub.losesPushes = true;
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 1 } });
  await pass(100);
  hub.losesPushes = false;
  one.decks.dispatch({ event: 'set_mixer', changes: { master_volume: 0.5 } });
  await pass(100);
  assert.equal(two.decks.state.mixer.crossfader, 0);
  await pass(1500);
  assert.deepEqual([two.decks.state.mixer.crossfader, two.decks.state.mixer.master_volume], [1, 0.5]);
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 0.25 } });
  await pass(100);
  assert.equal(two.decks.state.mixer.crossfader, 0.25);
});

test('a page whose service was updated says so when it cannot read the session, and plays on', async (t) => {
  const { rules, hub, pass, open } = createFixture(t);
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  one.decks.dispatch({ event: 'toggle_play', deck: 'a', position_ms: 0 });
  await pass(100);
  const welcome = rules.welcome.bind(rules);
  t.mock.method(rules, 'welcome', () => {
    const { session, ...rest } = welcome();
    return { ...rest, session: { ...session, mixer: { ...session.mixer, field_of_later: 1 } } };
  });
  hub.isUp = false;
  hub.cut();
  await pass(500);
  assert.equal(one.statuses.at(-1), 'lost');
  hub.isUp = true;
  await pass(800);
  assert.equal(one.statuses.at(-1), 'outdated');
  assert.equal(one.decks.state.decks.a.is_playing, true);
  // Messages of this window stay with it.
  const { version } = rules.record;
  one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 1 } });
  await pass(500);
  assert.deepEqual([one.decks.state.mixer.crossfader, rules.record.version], [1, version]);
});

test('reverts and reports a message that the service refuses', async (t) => {
  const { pass, open } = createFixture(t);
  const { decks, refusals } = await open('window-one');
  decks.dispatch({ event: 'load_track', deck: 'a', track_id: '0198c0de-0000-7000-8000-0000000000ff' });
  await pass(100);
  assert.equal(decks.state.decks.a.track_id, null);
  assert.deepEqual(refusals, ['track not found']);
});

/** Ends the login, runs `meanwhile`, and begins another login with a deck session of its own. */
async function logInAgain({ rules, hub, pass }: ReturnType<typeof createFixture>, meanwhile = () => {}) {
  hub.isUp = false;
  hub.cut(closeCodes.loginEnded);
  await pass(300);
  meanwhile();
  rules.beginAnew('0198c0de-0000-7000-8000-0000000000aa');
  hub.isUp = true;
  await pass(1000);
}

test('reports the end of the login', async (t) => {
  const fixture = createFixture(t);
  const { decks, statuses } = await fixture.open('window-one');
  const asked = fixture.hub.addresses.length;
  await logInAgain(fixture);
  // Its token belongs to the ended login: no request is made before there is a new one.
  assert.deepEqual([fixture.hub.addresses.length, statuses.at(-1)], [asked, 'ended']);
  decks.dispatch({ event: 'set_mixer', changes: { crossfader: 1 } });
  assert.equal(decks.state.mixer.crossfader, 1);
});

test('carries the decks over into the session of the next login', async (t) => {
  const fixture = createFixture(t);
  const { rules, pass, open } = fixture;
  const [one, two] = [await open('window-one'), await open('window-two')];
  for (const message of [
    loadA,
    { event: 'load_stems', deck: 'a', processing_job_id: separation },
    { event: 'update_volume', deck: 'a', stem_type: 'drums', volume: 0.25 },
    { event: 'set_hot_cue', deck: 'a', slot: 0, cue: null },
    { event: 'update_bpm', deck: 'a', bpm: 130 },
    { event: 'play', deck: 'a', position_ms: 1000 },
  ] as const)
    one.decks.dispatch(message);
  await pass(500);
  assert.equal(rules.record.state.mixer.sound_client, 'window-one');
  await logInAgain(fixture, () =>
    one.decks.dispatch({ event: 'set_mixer', changes: { crossfader: 0.5, crossfader_curve: 'sharp cut' } }),
  );
  const shown: (string | null | boolean)[] = [];
  const take = one.decks.take.bind(one.decks);
  one.decks.take = (session) => {
    take(session);
    const { a } = session.decks;
    shown.push(a.is_playing && a.duration_ms > 0 && a.stems.length > 0 && a.track_id);
  };
  const before = one.decks.positionSeconds('a');
  two.link.renew();
  await pass(300);
  one.link.renew();
  await pass(100);
  // Controls moved meanwhile change the shown state and are sent as well.
  one.decks.dispatch({ event: 'set_strip', deck: 'a', changes: { eq_low: -1 } });
  await pass(2500);
  assert.deepEqual([one.statuses.at(-1), two.statuses.at(-1)], ['joined', 'joined']);
  const { decks, mixer } = rules.record.state;
  const { a } = decks;
  assert.deepEqual(
    [a.track_id, a.is_playing, a.strip.eq_low, a.stems.map(({ volume }) => volume), a.hot_cues],
    [tracks[0], true, -1, [1, 0.25], []],
  );
  assert.deepEqual(
    [mixer.crossfader, mixer.crossfader_curve, mixer.sound_client],
    [0.5, 'sharp cut', 'window-one'],
  );
  assert.equal(a.tempo_percent.toFixed(3), (100 * (130 / 126 - 1)).toFixed(3));
  const passed = one.decks.positionSeconds('a') - before;
  assert.ok(Math.abs(passed - 2.9 * (130 / 126)) < 0.2, `${passed} s`);
  // The decks were never shown emptier in between, and playback was not restarted.
  assert.ok(shown.length > 0);
  assert.deepEqual(new Set(shown), new Set([tracks[0]]));
  assert.equal(one.decks.isSounding, true);
  for (const window of [one, two]) {
    const { position_ms, position_at } = a;
    assert.deepEqual({ ...window.decks.state.decks.a, position_ms, position_at }, a);
    assert.deepEqual(window.decks.state.mixer, mixer);
  }
});

test('continues playback without the session if the next login already has other decks', async (t) => {
  const fixture = createFixture(t);
  const { rules, open, pass, hub } = fixture;
  const one = await open('window-one');
  one.decks.dispatch(loadA);
  one.decks.dispatch({ event: 'play', deck: 'a' });
  await pass(100);
  await logInAgain(fixture);
  rules.take({ event: 'load_track', deck: 'b', track_id: tracks[1] });
  const { record } = rules;
  one.link.renew();
  await pass(1000);
  assert.equal(one.statuses.at(-1), 'apart');
  assert.deepEqual([one.decks.state.decks.a.is_playing, one.decks.isSounding], [true, true]);
  assert.equal(rules.record, record);
  const asked = hub.addresses.length;
  await pass(3000);
  assert.equal(hub.addresses.length, asked);
});

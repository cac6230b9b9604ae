import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectTypes } from '@stem-studio/contract/decks/effects';
import { type DeckEvent, deckMessages, deckReply, deckWelcome } from '@stem-studio/contract/events/decks';
import { closeCodes } from '@stem-studio/contract/frame';
import { deckBounds } from '@stem-studio/contract/limits';
import * as fc from 'fast-check';
import { type Login, logIn, openDeckWindow } from '../../testing/deck-windows.ts';
import { hostileText } from '../../testing/fuzz/hostile-values.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { type RawClient, rawClient, socketUrl, until } from '../../testing/socket-client.ts';
import { testWav } from '../../testing/test-audio.ts';
import { createTestClock } from '../../testing/test-clock.ts';
import type { TestLifetime } from '../../testing/test-context.ts';

const sockets = 16;
/** Below the message limit of a socket. */
const messagesEach = 150;
const seed = 20_260_722;

async function open(t: TestLifetime) {
  const logLines: string[] = [];
  const clock = createTestClock();
  const library = await openLibrary(t, { logLines, clock });
  const address = await library.service.listen(0, '127.0.0.1');
  const login = await logIn(library.context, library.user);
  const { id } = await library.addTrack(await testWav({ seconds: 2 }));
  const failures = () => logLines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);
  return { library, address, login, trackId: id, failures, clock };
}

/** Opens a socket on the live path and joins the decks. */
async function enter(t: TestLifetime, address: string, { cookie, csrf }: Login): Promise<RawClient> {
  const query = new URLSearchParams({ vsn: '2.0.0', _csrf_token: csrf }).toString();
  const client = await rawClient(t, socketUrl(address, '/live'), query, { cookie, origin: address });
  client.send(['1', 'join', 'decks:current', 'phx_join', {}]);
  await until(() => client.frames.some(([, ref]) => ref === 'join'));
  return client;
}

/** Short enough for one message. */
const text = hostileText.map((any) => any.slice(0, 300));
const hostile = fc.oneof(
  text,
  fc.constantFrom<unknown>(0, -1, 1e308, -1e308, 0.1 + 0.2, 2 ** 53, null, true, [], {}, [[]], {
    length: 1e9,
  }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const deck = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'A', 'B') },
  { weight: 1, arbitrary: fc.constantFrom('c', '', '__proto__', 'constructor', 'aa') },
);
const position = fc.oneof(fc.double({ min: 0, max: 1e5, noNaN: true }), fc.constantFrom(0, deckBounds.ms));
const loop = fc.option(fc.record({ start_ms: position, end_ms: position, active: fc.boolean() }));
const level = fc.double({ min: 0, max: 1, noNaN: true });
const stem = fc.constantFrom('vocals', 'drums', '__proto__', 'toString');

/** Generators of payloads by field, some of them invalid by the contract. */
function payloadsOf(trackId: string): Record<DeckEvent, fc.Arbitrary<object>> {
  const on = (fields: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record({ deck, ...fields });
  const at = fc.option(position, { nil: undefined });
  const slot = fc.integer({ min: -1, max: deckBounds.hotCues });
  const cue = fc.record({
    position_ms: position,
    end_ms: fc.option(position),
    label: fc.oneof(text, fc.constant('x'.repeat(deckBounds.label))),
    color: fc.constantFrom('#ff5d5d', '#FFFFFF', 'red', '#ff5d5d\n'),
    cue_point_id: fc.constantFrom(null, trackId, '__proto__'),
  });
  const bpm = fc.constantFrom(120, 10, 800, 9.99, 1e300, -120);
  return {
    load_track: on({ track_id: fc.constantFrom(trackId, trackId, null, '__proto__', `${trackId}0`) }),
    toggle_play: on({ position_ms: at }),
    play: on({ position_ms: at }),
    pause: on({ position_ms: at }),
    seek: on({ position_ms: position }),
    set_cue: on({ position_ms: position }),
    jump_to_cue: on({}),
    trigger_cue: on({ slot }),
    set_hot_cue: on({ slot, cue: fc.option(cue) }),
    set_loop: on({ loop, position_ms: at, stem_type: fc.option(stem, { nil: undefined }) }),
    update_bpm: on({ bpm }),
    set_bpm: on({ bpm }),
    set_deck: on({
      changes: fc.dictionary(fc.constantFrom('is_synced', 'tempo_range', '__proto__', 'hot_cues'), hostile),
    }),
    set_strip: on({
      changes: fc.dictionary(fc.constantFrom('volume', 'gain_db', 'kill_low', 'constructor'), hostile),
    }),
    set_effect: on({
      slot: fc.integer({ min: -1, max: 2 }),
      changes: fc.oneof(
        fc.record({ type: fc.constantFrom(...effectTypes), macro: level, is_on: fc.boolean() }),
        fc.dictionary(fc.constantFrom('parameters', 'beats', 'wet', '__proto__'), hostile),
      ),
    }),
    load_stems: on({ processing_job_id: fc.constantFrom(null, trackId, '__proto__') }),
    update_volume: on({ stem_type: stem, volume: level }),
    set_stem: on({
      stem_type: stem,
      changes: fc.dictionary(fc.constantFrom('is_muted', '__proto__'), hostile),
    }),
    set_mixer: fc.record({
      changes: fc.oneof(
        fc.record({
          crossfader: level,
          master_deck: fc.constantFrom('a', 'b', null),
          is_master_synced: fc.boolean(),
        }),
        fc.dictionary(
          fc.constantFrom('crossfader_curve', 'sound_client', 'active_deck', '__proto__'),
          hostile,
        ),
      ),
    }),
    report_position: on({ position_ms: position }),
  };
}

test('after any messages from windows, the session is valid by the contract and the service logs no failure', async (t) => {
  const { library, address, login, trackId, failures, clock } = await open(t);
  const payloads = payloadsOf(trackId);
  const events = Object.keys(deckMessages) as DeckEvent[];
  const sender = fc.record(
    {
      client: fc.constantFrom('window-one', 'window-two', '__proto__', 'short'),
      seq: fc.oneof(fc.integer(), fc.constant(1e300)),
    },
    { requiredKeys: [] },
  );
  const message = fc.constantFrom(...events).chain((event) => {
    const whole = fc
      .tuple(payloads[event], fc.oneof(fc.constant({}), sender))
      .map(([payload, by]) => ({ ...payload, ...by }));
    const any = fc.dictionary(fc.oneof(text, fc.constantFrom('deck', 'changes')), hostile);
    return fc
      .oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: any })
      .map((payload) => ({ event, payload }));
  });
  const all = fc.sample(message, { numRuns: sockets * messagesEach, seed });
  let taken = 0;
  for (let at = 0; at < all.length; at += messagesEach) {
    const client = await enter(t, address, login);
    const part = all.slice(at, at + messagesEach);
    for (const [i, { event, payload }] of part.entries())
      client.send(['1', String(i), 'decks:current', event, payload]);
    const replies = () =>
      client.frames.filter(([, ref, , event]) => event === 'phx_reply' && /^\d+$/.test(String(ref)));
    await until(() => replies().length === part.length || client.client.readyState !== 1);
    assert.equal(replies().length, part.length);
    for (const [, , , , payload] of replies()) {
      const { status, response } = payload as { status: string; response: { code?: string } };
      if (status === 'ok') taken += deckReply.parse(response).accepted ? 1 : 0;
      else assert.match(response.code ?? '', /^(VALIDATION_ERROR|NOT_FOUND)$/);
    }
    assert.ok(client.frames.every(([, , , event]) => event !== 'phx_error'));
    client.client.terminate();
    // A user may send 100 messages a second over all sockets.
    clock.advance(messagesEach / 100);
  }
  assert.deepEqual(failures(), []);
  assert.ok(taken > all.length / 4, `${taken} of ${all.length} were taken`);
  // The reply to the join is checked by the contract; outside production, every pushed message was checked too.
  const { welcome } = await openDeckWindow(t, address, login);
  assert.equal(deckWelcome.safeParse(welcome).success, true);
  assert.ok(JSON.stringify(welcome).length < 65_536);
  assert.ok(welcome.taken.length <= deckBounds.rememberedWindows);
  const { decks } = welcome.session;
  assert.deepEqual(Object.keys(decks).toSorted(), ['a', 'b']);
  assert.equal((await library.app.inject('/health')).statusCode, 200);
});

test('numbers outside JSON, unknown keys and a thousand messages at once are rejected without failures', async (t) => {
  const { address, login, failures } = await open(t);
  const client = await enter(t, address, login);
  for (const message of [
    '["1","n1","decks:current","seek",{"deck":"a","position_ms":1e999}]',
    '["1","n2","decks:current","seek",{"deck":"a","position_ms":-1e999}]',
    '["1","n3","decks:current","set_mixer",{"changes":{"crossfader":1e400}}]',
    '["1","n4","decks:current","set_mixer",{"changes":{"__proto__":{"crossfader":1}}}]',
    '["1","n5","decks:current","__proto__",{}]',
    '["1","n6","decks:current","toString",{"deck":"a"}]',
    '["1","n7","decks:current","play",{"deck":["a"]}]',
  ])
    client.client.send(message);
  const answered = () => client.frames.filter(([, ref]) => /^n\d$/.test(String(ref)));
  await until(() => answered().length === 7);
  assert.deepEqual(
    new Set(answered().map(([, , , , payload]) => (payload as { status: string }).status)),
    new Set(['error']),
  );
  const flood = await enter(t, address, login);
  for (let i = 0; i < 1000; i++)
    flood.send(['1', String(i), 'decks:current', 'set_mixer', { changes: { crossfader: (i % 200) / 200 } }]);
  assert.equal((await flood.closed).code, closeCodes.policy);
  assert.deepEqual(failures(), []);
  const { welcome } = await openDeckWindow(t, address, login);
  assert.ok(welcome.session.version <= 200);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { sql } from 'kysely';
import { newId } from '../../platform/ids.ts';
import { openTestContext, type TestLifetime } from '../../testing/test-context.ts';
import { insertTestUser } from '../../testing/test-user.ts';
import { acceptDeckMessage, ensureCurrentSession, welcome } from './decks.service.ts';

/** Returns a deck session as version 1 stores it, with a few changed fields of deck A. */
function storedSession() {
  const { decks, mixer } = createDeckSessionState();
  const loop = { start_ms: 1000, end_ms: 2000, active: false };
  const cue = {
    slot: 0,
    position_ms: 500,
    end_ms: null,
    label: 'In',
    color: '#ff0000',
    cue_point_id: null,
  };
  const stem = { stem_type: 'vocals', volume: 0.5, is_muted: true, is_soloed: false, loop: null };
  const a = { ...decks.a, position_ms: 1500, duration_ms: 9000, loop, hot_cues: [cue], stems: [stem] };
  return { decks: { ...decks, a }, mixer: { ...mixer, crossfader: -0.5 } };
}

async function open(t: TestLifetime) {
  const logLines: string[] = [];
  const context = await openTestContext(t, { logLines });
  const user = await insertTestUser(context);
  const login_session_id = newId();
  const now = context.clock.now();
  await context.db
    .insertInto('login_sessions')
    .values({
      id: login_session_id,
      user_id: user.id,
      user_agent: 'A browser',
      created_at: now,
      last_seen_at: now,
      expires_at: new Date(now.getTime() + 86_400_000),
    })
    .execute();
  const viewer = { ...user.viewer, login_session_id };
  const id = (await ensureCurrentSession(context, viewer)) ?? '';
  const store = (change: { state?: unknown; taken?: unknown; accept_times?: unknown }) =>
    sql`update deck_sessions set state = coalesce(${change.state ? JSON.stringify(change.state) : null}, state),
      taken = coalesce(${change.taken ? JSON.stringify(change.taken) : null}, taken),
      accept_times = coalesce(${change.accept_times ? JSON.stringify(change.accept_times) : null}, accept_times) where id = ${id}`.execute(
      context.db,
    );
  const read = async () => {
    const { session } = (await welcome(context, viewer, id)) ?? assert.fail('the session is gone');
    return { decks: session.decks, mixer: session.mixer };
  };
  const send = () =>
    acceptDeckMessage(context, {
      viewer,
      sessionId: id,
      message: { event: 'set_mixer', changes: { crossfader: 1 } },
      notifyOthers: () => Promise.resolve(),
    });
  return { store, read, send, logLines };
}

test('a session of version 1 is loaded as stored and continues', async (t) => {
  const { store, read, send, logLines } = await open(t);
  await store({ state: storedSession(), taken: [['window-1', 4]] });
  assert.deepEqual(await read(), storedSession());
  assert.equal((await send()).accepted, true);
  assert.deepEqual(await read(), {
    ...storedSession(),
    mixer: { ...storedSession().mixer, crossfader: 1 },
  });
  assert.ok(!logLines.some((line) => line.includes('cannot be read')));
});

test('fields of a later version do not invalidate a session', async (t) => {
  const { store, read, send } = await open(t);
  const { decks, mixer } = storedSession();
  const [cue] = decks.a.hot_cues;
  const later = {
    decks: {
      ...decks,
      a: { ...decks.a, sampler: { slots: [] }, hot_cues: [{ ...cue, gate: true }] },
    },
    mixer: { ...mixer, limiter_db: -1 },
    controllers: [],
  };
  await store({
    state: later,
    accept_times: { a: { tempo_ms: 0, report_ms: 0, seek_ms: 1 }, b: { tempo_ms: 0, report_ms: 0 } },
  });
  assert.deepEqual(await read(), storedSession());
  assert.equal((await send()).accepted, true);
});

test('fields missing in an older session get their defaults', async (t) => {
  const { store, read, logLines } = await open(t);
  const { decks, mixer } = structuredClone(storedSession());
  const older: Record<string, unknown> = { decks, mixer };
  Reflect.deleteProperty(decks.a.strip, 'filter');
  Reflect.deleteProperty(decks.b, 'is_slipping');
  Reflect.deleteProperty(mixer, 'metronome_output');
  Reflect.deleteProperty(mixer, 'effect');
  Reflect.deleteProperty(decks.a, 'effects');
  Reflect.deleteProperty(decks.a.stems[0] ?? {}, 'loop');
  Reflect.deleteProperty(decks.a.hot_cues[0] ?? {}, 'end_ms');
  await store({ state: older });
  assert.deepEqual(await read(), storedSession());
  assert.ok(!logLines.some((line) => line.includes('cannot be read')));
});

test('unreadable values are replaced by defaults and logged, and the rest is kept', async (t) => {
  const { store, read, logLines } = await open(t);
  const { decks, mixer } = storedSession();
  await store({
    state: { decks: { ...decks, b: 'gone' }, mixer: { ...mixer, crossfader_curve: 'a curve of old' } },
    taken: 'nothing',
    accept_times: { a: 1 },
  });
  assert.deepEqual(await read(), {
    decks: { ...decks, b: createDeckSessionState().decks.b },
    mixer: { ...mixer, crossfader_curve: 'linear' },
  });
  const logged = logLines.filter((line) => line.includes('cannot be read')).join('\n');
  assert.match(logged, /"replaced":\["decks\.b","mixer\.crossfader_curve"\]/);
  assert.match(logged, /accepted messages of a deck session/);
});

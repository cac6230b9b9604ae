import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { near } from '../testing/near.ts';
import { type EngineSession, engineCommandsFor } from './session-commands.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';
const JOB = '0198c0de-0000-7000-8000-000000000002';
const facts = {
  now: 0,
  track: { track_bpm: 120, duration_ms: 240_000, hot_cues: [] },
  stems: ['vocals', 'drums'] as const,
};

function after(session: DeckSessionState, ...messages: DeckMessage[]): DeckSessionState {
  return messages.reduce((state, message) => applyDeckMessage(state, message, facts), session);
}

const loadedSession = after(
  createDeckSessionState(),
  { event: 'load_track', deck: 'a', track_id: TRACK },
  { event: 'load_track', deck: 'b', track_id: TRACK },
  { event: 'load_stems', deck: 'a', processing_job_id: JOB },
);

function scene(session: DeckSessionState, isRolling = false): EngineSession {
  return {
    session,
    // The files come in another order than the session has them.
    loaded: {
      a: { sampleRateHz: 48_000, sources: ['drums', 'vocals'] },
      b: { sampleRateHz: 44_100, sources: ['song'] },
    },
    rolling: { a: isRolling, b: false },
  };
}

/** Commands for the engine after these messages. */
function commandsFor(...messages: DeckMessage[]) {
  return engineCommandsFor(scene(loadedSession), scene(after(loadedSession, ...messages)));
}

test('an unchanged session needs no command', () => {
  assert.deepEqual(commandsFor(), []);
  assert.deepEqual(commandsFor({ event: 'set_mixer', changes: { active_deck: 'b' } }), []);
});

test('a change needs the commands for that change, and no others', () => {
  assert.deepEqual(commandsFor({ event: 'play', deck: 'b' }), [
    {
      type: 'metronome',
      isOn: false,
      volume: 0.5,
      output: 'master',
      leader: 'b',
    },
    { type: 'play', deck: 'b', keepsPhase: false, id: 0 },
  ]);
  assert.deepEqual(commandsFor({ event: 'update_bpm', deck: 'a', bpm: 126 }), [
    { type: 'tempo', deck: 'a', rate: 1.05, isKeyLocked: true, semitones: 0 },
  ]);
});

test('loops are in frames of the song, with fractions', () => {
  const loop = { start_ms: 1000.5, end_ms: 2000, active: true };
  assert.deepEqual(commandsFor({ event: 'set_loop', deck: 'a', loop }), [
    { type: 'loop', deck: 'a', loop: { startFrame: 48_024, endFrame: 96_000 }, id: 0 },
  ]);
  assert.deepEqual(commandsFor({ event: 'set_loop', deck: 'a', loop: { ...loop, active: false } }), []);
});

test('a stem is addressed by its source, in the order of the engine', () => {
  const loop = { start_ms: 0, end_ms: 500, active: true };
  assert.deepEqual(commandsFor({ event: 'set_loop', deck: 'a', stem_type: 'vocals', loop }), [
    { type: 'source-loop', deck: 'a', source: 1, loop: { startFrame: 0, endFrame: 24_000 } },
  ]);
  assert.deepEqual(commandsFor({ event: 'update_volume', deck: 'a', stem_type: 'vocals', volume: 0.5 }), [
    { type: 'source-gains', deck: 'a', gains: [1, 0.5] },
  ]);
  assert.deepEqual(
    commandsFor({ event: 'set_stem', deck: 'a', stem_type: 'drums', changes: { is_soloed: true } }),
    [{ type: 'source-gains', deck: 'a', gains: [1, 0] }],
  );
});

test('equaliser knobs are silence at the left, +6 dB at the right, and a kill is silence anywhere', () => {
  const changes = { eq_low: -1, eq_mid: 1, eq_high: 0.5, kill_high: true, gain_db: 6 };
  const [command] = commandsFor({ event: 'set_strip', deck: 'b', changes });
  assert.ok(command?.type === 'strip');
  assert.equal(command.strip.low, 0);
  near(20 * Math.log10(command.strip.mid), 6, 1e-9);
  assert.equal(command.strip.high, 0);
  near(20 * Math.log10(command.strip.gain), 6, 1e-9);
});

test('makes a synced deck follow the other, but not the other follow it', () => {
  const sync = (deck: 'a' | 'b') => ({ event: 'set_deck', deck, changes: { is_synced: true } }) as const;
  const play = (deck: 'a' | 'b') => ({ event: 'play', deck }) as const;
  const leaderOf = (...messages: DeckMessage[]) =>
    commandsFor(...messages).filter((command) => command.type === 'sync');
  const leader = (leader: 'a' | 'b') => [{ type: 'sync', leader, keepsPhase: true }];
  assert.deepEqual(leaderOf(sync('a'), sync('b')), leader('a'));
  assert.deepEqual(leaderOf(play('a'), play('b'), sync('a')), leader('b'));
  assert.deepEqual(leaderOf(play('a'), play('b'), sync('b'), sync('a')), leader('b'));
  assert.deepEqual(leaderOf(play('a'), play('b'), sync('b'), { event: 'pause', deck: 'a' }), []);
  const locked = { event: 'set_mixer', changes: { is_master_synced: true } } as const;
  assert.deepEqual(leaderOf(sync('a'), play('b'), locked), leader('a'));
});

test('makes the metronome follow the leader, or the other deck if that plays alone', () => {
  const locked = { event: 'set_mixer', changes: { is_master_synced: true } } as const;
  const clicks = (...messages: DeckMessage[]) =>
    commandsFor(...messages).flatMap((command) => (command.type === 'metronome' ? [command.leader] : []));
  assert.deepEqual(clicks(locked, { event: 'play', deck: 'b' }), ['b']);
  assert.deepEqual(clicks(locked, { event: 'play', deck: 'b' }, { event: 'play', deck: 'a' }), ['a']);
});

test('a roll turns slip on before its loop, and off after it', () => {
  const loop = { start_ms: 0, end_ms: 500, active: true };
  const rolling = scene(after(loadedSession, { event: 'set_loop', deck: 'a', loop }), true);
  const types = (commands: { type: string }[]) => commands.map((command) => command.type);
  assert.deepEqual(types(engineCommandsFor(scene(loadedSession), rolling)), ['slip', 'loop']);
  assert.deepEqual(types(engineCommandsFor(rolling, scene(loadedSession))), ['loop', 'slip']);
});

test('sends only the channel strip of an empty deck, and everything once it is loaded', () => {
  const empty: EngineSession = { ...scene(loadedSession), loaded: { a: null, b: null } };
  const types = engineCommandsFor(null, empty).map((command) => command.type);
  assert.deepEqual(types, ['master', 'metronome', 'strip', 'strip', 'sync']);
  const rest = engineCommandsFor(empty, scene(loadedSession)).map((command) => command.type);
  assert.deepEqual(rest, [
    'tempo',
    'source-gains',
    'source-loop',
    'source-loop',
    'loop',
    'slip',
    'tempo',
    'source-gains',
    'source-loop',
    'loop',
    'slip',
    'pause',
    'pause',
  ]);
});

test('sends an effect when it is turned on and off, and each change in the units of its parameters', () => {
  const on = { event: 'set_effect', deck: 'a', slot: 1, changes: { is_on: true } } as const;
  const free = { event: 'set_effect', deck: 'a', slot: 1, changes: { is_beat_synced: false } } as const;
  const [command, ...others] = commandsFor(on, free);
  assert.deepEqual(others, []);
  assert.ok(command?.type === 'effect');
  const { type, isOn, beats, values } = command.effect;
  assert.deepEqual([command.deck, command.slot, type, isOn, beats], ['a', 1, 'reverb', true, null]);
  // Half of the macro's way from 0.2 to 0.8 of a logarithmic range of 0.3 to 12 s.
  near(values[0] ?? 0, 0.3 * Math.sqrt(40), 1e-3);
  const playing = after(loadedSession, on);
  const off = { event: 'set_effect', deck: 'a', slot: 1, changes: { is_on: false } } as const;
  const last = engineCommandsFor(scene(playing), scene(after(playing, off)));
  assert.deepEqual(
    last.map((one) => 'effect' in one && one.effect.isOn),
    [false],
  );
  const master = commandsFor({ event: 'set_mixer', changes: { effect: { is_on: true } } });
  assert.deepEqual(
    master.map((one) => one.type),
    ['master-effect'],
  );
});

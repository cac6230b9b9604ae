import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatLengths, type ControlId, controlIds, controlRange } from '@stem-studio/contract/controls';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { type DeckMessage, deckMessages } from '@stem-studio/contract/events/decks';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { createStore } from 'zustand/vanilla';
import { type ControlTable, pressControl, releaseControl } from '../controls/control.ts';
import { createControlledParts } from '../testing/controlled-parts.ts';
import type { ControlTarget } from './control-target.ts';
import type { Decks } from './decks.ts';
import { createDecksControls } from './decks-controls.ts';
import { createDjState } from './dj-state.ts';

const track = '0190a0b0-0000-7000-8000-000000000001';

/** Commands of sampler and microphone, of the rig that was created last. */
let received: unknown[][] = [];
const parts = createControlledParts((command) => received.push([command.type]));

/** Controls of decks that apply messages by the common rule and record all other commands. */
function createRig() {
  const commands: unknown[][] = [];
  const messages: DeckMessage[] = [];
  const facts = {
    now: 0,
    track: { track_bpm: 120, duration_ms: 200_000, hot_cues: [] },
    stems: ['vocals', 'drums'] as const,
  };
  let state: DeckSessionState = createDeckSessionState();
  for (const deck of ['a', 'b'] as const) {
    state = applyDeckMessage(state, { event: 'load_track', deck, track_id: track }, facts);
    state = applyDeckMessage(state, { event: 'load_stems', deck, processing_job_id: track }, facts);
  }
  const session = createStore(() => state);
  const dispatch = (message: DeckMessage) => {
    messages.push(message);
    session.setState(applyDeckMessage(session.getState(), message, facts), true);
  };
  const grid = { beats: [], downbeats: [], beatsPerBar: 4 };
  const localDeck = { grid, isRolling: false, loopInSeconds: null, stemLoopIns: {} };
  const local = createStore(() => ({ a: localDeck, b: localDeck }));
  const own = {
    session,
    local,
    dispatch,
    recording: createStore(() => ({ isRecording: false, seconds: 0 })),
  };
  const decks = new Proxy(own, {
    get: (target, name) =>
      name in target
        ? target[name as keyof typeof target]
        : (...given: unknown[]) => commands.push([String(name), ...given]),
  }) as unknown as Decks;
  const target: ControlTarget = { decks, state: createDjState() };
  received = commands;
  parts.sampler.state.setState(parts.sampler.state.getInitialState(), true);
  parts.microphone.state.setState(parts.microphone.state.getInitialState(), true);
  return { ...target, ...parts, controls: createDecksControls(target, parts), commands, messages };
}

/** Sets a continuous control; presses any other with 1 and releases it with 0. */
function move({ controls }: { controls: ControlTable }, id: ControlId, value: number): void {
  const control = controls[id];
  if (control.kind === 'continuous') control.set(value);
  else if (value > 0) pressControl(control);
  else releaseControl(control);
}

test('every control has an effect, and sends only messages of the contract', () => {
  for (const id of controlIds) {
    const rig = createRig();
    const before = rig.state.getState();
    const { status } = rig.microphone.state.getState();
    const range = controlRange(id);
    move(rig, id, range ? (range.rest === range.max ? range.min : range.max) : 1);
    const isMissing = id.includes('.stem.') && !/\.stem\.(vocals|drums)\./.test(id);
    const isDone =
      rig.commands.length + rig.messages.length > 0 ||
      rig.state.getState() !== before ||
      rig.microphone.state.getState().status !== status;
    assert.equal(isDone, !isMissing, id);
    for (const { event, ...payload } of rig.messages)
      assert.equal(deckMessages[event].safeParse(payload).success, true, `${id} sends ${event}`);
  }
});

test('continuous values are limited to the range, and NaN is ignored', () => {
  const rig = createRig();
  move(rig, 'deck.a.eq_low', -7);
  assert.equal(rig.controls['deck.a.eq_low'].read(), -1);
  move(rig, 'deck.a.gain', 99);
  assert.equal(rig.controls['deck.a.gain'].read(), 12);
  move(rig, 'mixer.crossfader', Number.NaN);
  assert.equal(rig.messages.length, 2);
});

test('the tempo is set by a command of the deck', () => {
  const rig = createRig();
  move(rig, 'deck.b.tempo', -26.2);
  move(rig, 'deck.b.tempo', 400);
  assert.deepEqual(rig.commands, [
    ['setTempo', 'b', -26.2],
    ['setTempo', 'b', 100],
  ]);
});

test('a press flips a toggle, and the release changes nothing', () => {
  const rig = createRig();
  for (const id of [
    'deck.a.kill_low',
    'deck.a.quantize',
    'deck.a.headphones',
    'mixer.master_sync',
  ] as const) {
    const before = rig.controls[id].read();
    move(rig, id, 1);
    assert.equal(rig.controls[id].read(), 1 - before, id);
    move(rig, id, 0);
    assert.equal(rig.controls[id].read(), 1 - before, id);
  }
});

test('cue, roll and nudge act for as long as they are held', () => {
  const rig = createRig();
  for (const control of ['cue', 'loop_roll', 'nudge_back'] as const) {
    move(rig, `deck.a.${control}`, 1);
    move(rig, `deck.a.${control}`, 0);
  }
  assert.deepEqual(rig.commands, [
    ['pressCue', 'a'],
    ['releaseCue', 'a'],
    ['rollStart', 'a', 4],
    ['rollEnd', 'a'],
    ['nudge', 'a', 0.97],
    ['nudge', 'a', null],
  ]);
});

test('loops and jumps have the lengths that are selected on their deck', () => {
  const rig = createRig();
  move(rig, 'deck.b.loop_length', 0);
  move(rig, 'deck.b.jump_length', 11);
  move(rig, 'deck.b.beat_loop', 1);
  move(rig, 'deck.b.beat_jump_back', 1);
  move(rig, 'deck.a.beat_loop', 1);
  assert.deepEqual(rig.commands, [
    ['beatLoop', 'b', 1 / 32],
    ['beatJump', 'b', -64],
    ['beatLoop', 'a', 4],
  ]);
});

test('loops and jumps halve and double between 1/32 of a beat and 64 beats', () => {
  const { controls } = createRig();
  const length = controls['deck.a.loop_length'];
  const lengthAfter = (beats: (typeof beatLengths)[number], steps: number) => {
    length.set(beatLengths.indexOf(beats));
    length.set(length.read() + steps);
    return beatLengths[length.read()];
  };
  assert.deepEqual(
    [lengthAfter(4, 1), lengthAfter(4, -1), lengthAfter(64, 1), lengthAfter(1 / 32, -1)],
    [8, 2, 64, 1 / 32],
  );
});

test('presses and releases a hot cue by its slot, and clears it by a separate control', () => {
  const rig = createRig();
  move(rig, 'deck.a.hot_cue_1', 1);
  move(rig, 'deck.a.hot_cue_1', 0);
  move(rig, 'deck.a.hot_cue_8_clear', 1);
  move(rig, 'deck.a.hot_cue_8_clear', 0);
  assert.deepEqual(rig.commands, [
    ['pressHotCue', 'a', 0],
    ['releaseHotCue', 'a', 0],
    ['deleteHotCue', 'a', 7],
  ]);
});

test('gives each stem volume, mute, solo and loop', () => {
  const rig = createRig();
  move(rig, 'deck.a.stem.vocals.volume', 0.25);
  move(rig, 'deck.a.stem.vocals.mute', 1);
  move(rig, 'deck.a.stem.drums.solo', 1);
  move(rig, 'deck.a.stem.drums.loop', 1);
  const [vocals, drums] = rig.decks.session.getState().decks.a.stems;
  assert.deepEqual([vocals?.volume, vocals?.is_muted, drums?.is_soloed], [0.25, true, true]);
  assert.deepEqual(rig.commands, [['beatLoop', 'a', 4, 'drums']]);
});

test('gives loops of stems lengths independent of the deck', () => {
  const rig = createRig();
  move(rig, 'deck.a.loop_length', 0);
  move(rig, 'deck.a.stem.vocals.loop_length', 9);
  move(rig, 'deck.a.stem.vocals.loop', 1);
  move(rig, 'deck.a.stem.drums.loop', 1);
  move(rig, 'deck.a.stem.drums.loop', 0);
  assert.deepEqual(rig.commands.splice(0), [
    ['beatLoop', 'a', 16, 'vocals'],
    ['beatLoop', 'a', 4, 'drums'],
  ]);
  assert.equal(rig.controls['deck.a.stem.vocals.loop_length'].read(), 9);

  // An existing loop determines the length.
  const loop = { start_ms: 1000, end_ms: 2000, active: false };
  rig.decks.dispatch({ event: 'set_loop', deck: 'a', stem_type: 'vocals', loop });
  assert.equal(rig.controls['deck.a.stem.vocals.loop_length'].read(), 6);
  for (const control of ['loop', 'loop_toggle', 'loop_in', 'loop_out', 'loop_halve', 'loop_double'] as const)
    move(rig, `deck.a.stem.vocals.${control}`, 1);
  move(rig, 'deck.a.stem.vocals.loop_length', 7);
  assert.deepEqual(rig.commands, [
    ['beatLoop', 'a', 2, 'vocals'],
    ['toggleLoop', 'a', 'vocals'],
    ['loopIn', 'a', 'vocals'],
    ['loopOut', 'a', 'vocals'],
    ['halveLoop', 'a', 'vocals'],
    ['doubleLoop', 'a', 'vocals'],
    ['resizeLoop', 'a', 4, 'vocals'],
  ]);
});

test('the four curves of the crossfader are the values of one control', () => {
  const rig = createRig();
  move(rig, 'mixer.crossfader_curve', 2);
  assert.equal(rig.decks.session.getState().mixer.crossfader_curve, 'sharp cut');
  assert.equal(rig.controls['mixer.crossfader_curve'].read(), 2);
});

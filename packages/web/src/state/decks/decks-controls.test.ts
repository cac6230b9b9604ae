import assert from 'node:assert/strict';
import { test } from 'node:test';
import { controlIds, controlRange } from '@stem-studio/contract/controls';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import { type DeckMessage, deckMessages } from '@stem-studio/contract/events/decks';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { createStore } from 'zustand/vanilla';
import type { Desk } from './control-target.ts';
import { controlValue } from './control-value.ts';
import type { Decks } from './decks.ts';
import { createDjState } from './dj-state.ts';
import { setControl } from './set-control.ts';

const track = '0190a0b0-0000-7000-8000-000000000001';

/** Decks that follow the common rule and remember what was asked of them. */
function createDesk(): Desk & { asked: unknown[][]; told: DeckMessage[] } {
  const asked: unknown[][] = [];
  const told: DeckMessage[] = [];
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
    told.push(message);
    session.setState(applyDeckMessage(session.getState(), message, facts), true);
  };
  const grid = { beats: [], downbeats: [], beatsPerBar: 4 };
  const local = createStore(() => ({ a: { grid }, b: { grid } }));
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
        : (...given: unknown[]) => asked.push([String(name), ...given]),
  }) as unknown as Decks;
  return { decks, state: createDjState(), asked, told };
}

test('every control does something when it is moved or pressed, and tells only what the contract knows', () => {
  for (const id of controlIds) {
    const desk = createDesk();
    const before = desk.state.getState();
    const range = controlRange(id);
    setControl(desk, id, range ? (range.rest === range.max ? range.min : range.max) : 1);
    const isMissing = id.includes('.stem.') && !/\.stem\.(vocals|drums)\./.test(id);
    const isDone = desk.asked.length + desk.told.length > 0 || desk.state.getState() !== before;
    assert.equal(isDone, !isMissing, id);
    for (const { event, ...payload } of desk.told)
      assert.equal(deckMessages[event].safeParse(payload).success, true, `${id} tells ${event}`);
  }
});

test('what is turned is bounded by its range, and what is no number changes nothing', () => {
  const desk = createDesk();
  setControl(desk, 'deck.a.eq_low', -7);
  assert.equal(controlValue(desk, 'deck.a.eq_low'), -1);
  setControl(desk, 'deck.a.gain', 99);
  assert.equal(controlValue(desk, 'deck.a.gain'), 12);
  setControl(desk, 'mixer.crossfader', Number.NaN);
  assert.equal(desk.told.length, 2);
});

test('the tempo is turned by the deck, which knows how far', () => {
  const desk = createDesk();
  setControl(desk, 'deck.b.tempo', -26.2);
  setControl(desk, 'deck.b.tempo', 400);
  assert.deepEqual(desk.asked, [
    ['setTempo', 'b', -26.2],
    ['setTempo', 'b', 100],
  ]);
});

test('a press turns a switch over, and letting it go changes nothing', () => {
  const desk = createDesk();
  for (const id of [
    'deck.a.kill_low',
    'deck.a.quantize',
    'deck.a.headphones',
    'mixer.master_sync',
  ] as const) {
    const before = controlValue(desk, id);
    setControl(desk, id, 1);
    assert.equal(controlValue(desk, id), 1 - before, id);
    setControl(desk, id, 0);
    assert.equal(controlValue(desk, id), 1 - before, id);
  }
});

test('cue, roll and nudge act for as long as they are held', () => {
  const desk = createDesk();
  for (const control of ['cue', 'loop_roll', 'nudge_back'] as const) {
    setControl(desk, `deck.a.${control}`, 1);
    setControl(desk, `deck.a.${control}`, 0);
  }
  assert.deepEqual(desk.asked, [
    ['pressCue', 'a'],
    ['releaseCue', 'a'],
    ['rollStart', 'a', 4],
    ['rollEnd', 'a'],
    ['nudge', 'a', 0.97],
    ['nudge', 'a', null],
  ]);
});

test('loops and jumps are as long as their deck is set to', () => {
  const desk = createDesk();
  setControl(desk, 'deck.b.loop_length', 0);
  setControl(desk, 'deck.b.jump_length', 11);
  setControl(desk, 'deck.b.beat_loop', 1);
  setControl(desk, 'deck.b.beat_jump_back', 1);
  setControl(desk, 'deck.a.beat_loop', 1);
  assert.deepEqual(desk.asked, [
    ['beatLoop', 'b', 1 / 32],
    ['beatJump', 'b', -64],
    ['beatLoop', 'a', 4],
  ]);
});

test('a hot cue is pressed and let go by its slot, and cleared by its own control', () => {
  const desk = createDesk();
  setControl(desk, 'deck.a.hot_cue_1', 1);
  setControl(desk, 'deck.a.hot_cue_1', 0);
  setControl(desk, 'deck.a.hot_cue_8_clear', 1);
  setControl(desk, 'deck.a.hot_cue_8_clear', 0);
  assert.deepEqual(desk.asked, [
    ['pressHotCue', 'a', 0],
    ['releaseHotCue', 'a', 0],
    ['deleteHotCue', 'a', 7],
  ]);
});

test('a stem has a volume, a mute, a solo and a loop of its own', () => {
  const desk = createDesk();
  setControl(desk, 'deck.a.stem.vocals.volume', 0.25);
  setControl(desk, 'deck.a.stem.vocals.mute', 1);
  setControl(desk, 'deck.a.stem.drums.solo', 1);
  setControl(desk, 'deck.a.stem.drums.loop', 1);
  const [vocals, drums] = desk.decks.session.getState().decks.a.stems;
  assert.deepEqual([vocals?.volume, vocals?.is_muted, drums?.is_soloed], [0.25, true, true]);
  assert.deepEqual(desk.asked, [['beatLoop', 'a', 4, 'drums']]);
});

test('the loops of stems have lengths of their own, whatever their deck is set to', () => {
  const desk = createDesk();
  setControl(desk, 'deck.a.loop_length', 0);
  setControl(desk, 'deck.a.stem.vocals.loop_length', 9);
  setControl(desk, 'deck.a.stem.vocals.loop', 1);
  setControl(desk, 'deck.a.stem.drums.loop', 1);
  setControl(desk, 'deck.a.stem.drums.loop', 0);
  assert.deepEqual(desk.asked.splice(0), [
    ['beatLoop', 'a', 16, 'vocals'],
    ['beatLoop', 'a', 4, 'drums'],
  ]);
  assert.equal(controlValue(desk, 'deck.a.stem.vocals.loop_length'), 9);

  // Where there is a loop, the length is that of the loop.
  const loop = { start_ms: 1000, end_ms: 2000, active: false };
  desk.decks.dispatch({ event: 'set_loop', deck: 'a', stem_type: 'vocals', loop });
  assert.equal(controlValue(desk, 'deck.a.stem.vocals.loop_length'), 6);
  for (const control of ['loop', 'loop_toggle', 'loop_in', 'loop_out', 'loop_halve', 'loop_double'] as const)
    setControl(desk, `deck.a.stem.vocals.${control}`, 1);
  setControl(desk, 'deck.a.stem.vocals.loop_length', 7);
  assert.deepEqual(desk.asked, [
    ['beatLoop', 'a', 2, 'vocals'],
    ['toggleLoop', 'a', 'vocals'],
    ['loopIn', 'a', 'vocals'],
    ['loopOut', 'a', 'vocals'],
    ['halveLoop', 'a', 'vocals'],
    ['doubleLoop', 'a', 'vocals'],
    ['resizeLoop', 'a', 4, 'vocals'],
  ]);
});

test('the four curves of the crossfader are places of one control', () => {
  const desk = createDesk();
  setControl(desk, 'mixer.crossfader_curve', 2);
  assert.equal(desk.decks.session.getState().mixer.crossfader_curve, 'sharp cut');
  assert.equal(controlValue(desk, 'mixer.crossfader_curve'), 2);
});

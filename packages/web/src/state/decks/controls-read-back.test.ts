import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeckController } from '@stem-studio/audio/deck/deck-controller';
import { type ControlId, controlIds, controlSpecs } from '@stem-studio/contract/controls';
import { applyDeckMessage } from '@stem-studio/contract/decks/apply-deck-message';
import { createDeckSessionState } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { stemTypes } from '@stem-studio/contract/resources/stem';
import { type ControlTable, pressControl } from '../controls/control.ts';
import { createControlledParts } from '../testing/controlled-parts.ts';
import { createDecksControls } from './decks-controls.ts';
import { createDjState } from './dj-state.ts';

const TRACK = '0198c0de-0000-7000-8000-000000000001';
const facts = {
  now: 1_000_000,
  track: { track_bpm: 120, duration_ms: 240_000, hot_cues: [] },
  stems: [...stemTypes],
};

/** Controls of real decks in a window that plays no audio, with a track of 120 bpm and all stems on each deck. */
async function openControls(t: { after(dispose: () => void): void }): Promise<{
  controls: ControlTable;
  /** Brings the decks and the page's own state back to where they were at first. */
  reset: () => void;
}> {
  const unused = () => Promise.reject(new Error('a window without audio loads nothing'));
  const decks = new DeckController({
    files: {
      song: unused,
      stems: unused,
      grid: async () => ({
        beats: Array.from({ length: 480 }, (_, beat) => beat / 2),
        downbeats: Array.from({ length: 120 }, (_, bar) => bar * 2),
        bpm: 120,
        beatsPerBar: 4,
      }),
    },
    fetchRange: unused,
    openDecoder: () => {
      throw new Error('a window without audio decodes nothing');
    },
    openPort: unused,
    memoryBytes: 0,
    now: () => facts.now,
  });
  t.after(() => decks.dispose());
  // Recording needs audio.
  decks.startRecording = () => {};
  decks.stopRecording = async () => new Blob();
  const loads: DeckMessage[] = (['a', 'b'] as const).flatMap((deck) => [
    { event: 'load_track', deck, track_id: TRACK },
    { event: 'load_stems', deck, processing_job_id: TRACK },
    { event: 'seek', deck, position_ms: 8000 },
  ]);
  const loaded = loads.reduce(
    (session, message) => applyDeckMessage(session, message, facts),
    createDeckSessionState(),
  );
  const state = createDjState();
  const parts = createControlledParts();
  const reset = () => {
    decks.take(loaded, new Set(['a', 'b']));
    state.setState(state.getInitialState(), true);
    parts.sampler.state.setState(parts.sampler.state.getInitialState(), true);
    parts.microphone.state.setState(parts.microphone.state.getInitialState(), true);
  };
  reset();
  await new Promise((resolve) => setImmediate(resolve));
  const controls = createDecksControls({ decks, state }, parts);
  return { controls, reset };
}

/** Tempi are converted to beats per minute and back, which causes a rounding error. */
const ROUNDING = 1e-9;

function assertNear(actual: number | undefined, expected: number, message: string): void {
  assert.ok(Math.abs((actual ?? Number.NaN) - expected) < ROUNDING, `${message}: ${actual}, not ${expected}`);
}

/** Returns a value that differs from the current one. */
function otherValue(controls: ControlTable, id: ControlId): number {
  const control = controls[id];
  const { min, max } = control.travel();
  if (control.kind !== 'continuous') return control.read() > 0 ? 0 : 1;
  return control.read() === max ? min : max;
}

/** Establishes the state in which a control has an effect: a loop, a tempo to follow, another active deck. */
function prepare(controls: ControlTable, id: ControlId): void {
  const [start, deck = 'a'] = /^(deck\.([ab])\.(?:stem\.\w+\.)?)loop_toggle$/.exec(id)?.slice(1) ?? [];
  if (start?.includes('.stem.')) controls[`${start}loop` as ControlId].set(1);
  else if (start) pressControl(controls[`deck.${deck as 'a' | 'b'}.beat_loop`]);
  if (id === 'mixer.deck_a') controls['mixer.deck_b'].set(1);
  if (id.endsWith('.sync')) controls[id === 'deck.a.sync' ? 'deck.b.play' : 'deck.a.play'].set(1);
}

test('every control reads the value that was set through the table', async (t) => {
  const { controls, reset } = await openControls(t);
  for (const id of controlIds) {
    reset();
    prepare(controls, id);
    const control = controls[id];
    const value = otherValue(controls, id);
    control.set(value);
    assertNear(control.read(), value, id);
    const spec = controlSpecs[id];
    // A light of a button may outlast the press.
    if (spec.kind === 'button' && spec.lit !== null) continue;
    control.set(spec.kind === 'continuous' ? spec.range.rest : 1 - value);
    assertNear(control.read(), spec.kind === 'continuous' ? spec.range.rest : 1 - value, id);
  }
});

test('listeners are called once for each change of the value, and for nothing else', async (t) => {
  const { controls, reset } = await openControls(t);
  for (const id of controlIds) {
    reset();
    prepare(controls, id);
    const control = controls[id];
    const before = control.read();
    const received: number[] = [];
    const unsubscribe = control.subscribe((value) => received.push(value));
    // A change of another control is not a change of this one.
    const neighbour = id === 'mixer.headphone_mix' ? 'mixer.metronome_volume' : 'mixer.headphone_mix';
    controls[neighbour].set(0.25);
    assert.deepEqual(received, [], `${id} after a change of ${neighbour}`);
    if (control.kind !== 'button') control.set(before);
    assert.deepEqual(received, [], `${id} set to the value that it has`);
    const value = otherValue(controls, id);
    control.set(value);
    assert.equal(received.length, 1, id);
    assertNear(received[0], value, id);
    unsubscribe();
    control.set(before);
    assert.equal(received.length, 1, `${id} after the end of the subscription`);
  }
});

test('positions of knobs and faders map to values and back', async (t) => {
  const { controls, reset } = await openControls(t);
  for (const id of controlIds) {
    reset();
    prepare(controls, id);
    const control = controls[id];
    if (control.kind !== 'continuous') continue;
    for (const position of [1, 0]) {
      control.setPosition(position);
      assertNear(control.position(), position, `${id} at ${position}`);
    }
    assertNear(control.read(), control.travel().min, id);
  }
});

test('the tempo fader covers the selected range, and the middle of the gain knob is 0 dB', async (t) => {
  const { controls } = await openControls(t);
  controls['deck.a.tempo_range'].set(1);
  controls['deck.a.tempo'].setPosition(1);
  assertNear(controls['deck.a.tempo'].read(), 16, 'tempo');
  controls['deck.a.gain'].setPosition(0.25);
  assert.deepEqual([controls['deck.a.gain'].read(), controls['deck.a.gain'].position()], [-12, 0.25]);
  controls['deck.a.gain'].setPosition(0.5);
  assert.equal(controls['deck.a.gain'].read(), 0);
});

test('leaves a toggle unchanged that is set to its current state', async (t) => {
  const { controls } = await openControls(t);
  for (const value of [1, 1, 0, 0]) {
    controls['deck.b.play'].set(value);
    assert.equal(controls['deck.b.play'].read(), value);
  }
});

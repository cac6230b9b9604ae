import assert from 'node:assert/strict';
import { test } from 'node:test';
import { beatPositions } from './beat-positions.ts';
import { centredPx, pitchAt, topOf } from './roll-geometry.ts';
import { rollActionOf } from './roll-keys.ts';
import { rollText } from './roll-text.ts';
import { scaleOf } from './scale.ts';

const noKey = { shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };

test('keys of the roll have an action only with their own modifier', () => {
  const action = (key: string, modifiers: Partial<typeof noKey> = {}) =>
    rollActionOf({ key, ...noKey, ...modifiers });
  assert.deepEqual(
    [action('ArrowUp'), action('ArrowUp', { shiftKey: true }), action('ArrowUp', { altKey: true })],
    ['up', 'octave-up', 'louder'],
  );
  assert.deepEqual(
    [action('a', { ctrlKey: true }), action('d', { metaKey: true })],
    ['select-all', 'duplicate'],
  );
  assert.deepEqual([action('Q'), action('b'), action('Delete')], ['quantise', 'draw-mode', 'delete']);
  assert.deepEqual(
    [
      action('a'),
      action('z', { ctrlKey: true }),
      action(' '),
      action('a', { ctrlKey: true, shiftKey: true }),
    ],
    [null, null, null, null],
  );
});

test('scales have the pitches of the key', () => {
  assert.deepEqual([...(scaleOf('D# major')?.pitchClasses ?? [])], [3, 5, 7, 8, 10, 0, 2]);
  assert.deepEqual([...(scaleOf('A minor')?.pitchClasses ?? [])], [9, 11, 0, 2, 4, 5, 7]);
  assert.equal(scaleOf('A minor')?.tonic, 9);
  assert.deepEqual([scaleOf(''), scaleOf('H major'), scaleOf('C dorian')], [null, null, null]);
});

test('rows and pitches correspond at every scroll position', () => {
  const geometry = { rowPx: 11, scrollPx: 300 };
  for (const pitch of [40, 60, 99]) {
    assert.equal(pitchAt(geometry, topOf(geometry, pitch)), pitch);
    assert.equal(pitchAt(geometry, topOf(geometry, pitch) + 10.9), pitch);
  }
  assert.deepEqual([pitchAt(geometry, -1000), pitchAt(geometry, 5000)], [127, 0]);
  const scrollPx = centredPx(60, 60, 11, 200);
  assert.equal(pitchAt({ rowPx: 11, scrollPx }, 100), 60);
  assert.deepEqual([centredPx(127, 127, 11, 200), centredPx(0, 0, 11, 200)], [0, 128 * 11 - 200]);
});

test('the text names the selected note with bar, velocity and chord, or how many there are', () => {
  const content = {
    beats: [0, 0.5, 1, 1.5],
    downbeats: [0],
    chords: [{ start: 0, end: 2, label: 'Am' }],
  };
  const note = (start_ms: number, pitch: number) => ({
    id: `${start_ms}`,
    start_ms,
    length_ms: 250,
    pitch,
    velocity: 90,
  });
  const [one, other] = [note(500, 60), note(1000, 67)];
  assert.equal(
    rollText([one], [one], content),
    'C4, bar 1, beat 2, 0.50 s for 0.25 s, velocity 90, chord Am',
  );
  assert.equal(rollText([one, other], [one, other], content), '2 notes selected, C4 to G4, 0.50 s to 1.25 s');
  assert.deepEqual([rollText([], [], content), rollText([one], [], content)], ['No notes', '1 note']);
});

test('the first bar begins at its beat, and a beat of 6/8 is a dotted quarter', () => {
  const content = { beats: [0.5, 1, 1.5], downbeats: [1.01, 3] };
  assert.deepEqual(beatPositions(content, '4/4'), {
    beatsMs: [500, 1000, 1500],
    firstBar: 1,
    quartersPerBeat: 1,
  });
  assert.equal(beatPositions(content, '6/8').quartersPerBeat, 1.5);
  assert.equal(beatPositions({ beats: [1], downbeats: [] }, null).firstBar, 0);
});

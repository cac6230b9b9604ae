import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { OpenedProject } from '@stem-studio/contract/resources/project';
import { EditorModel } from '../editor-model.ts';
import { ProjectEditor, type ProjectService } from '../project-editor.ts';
import { selectSpan } from '../selection.ts';
import type { RollAction } from './roll-keys.ts';
import { type RollContext, RollModel } from './roll-model.ts';

const idOf = (number: number) => `0190a0b0-0000-7000-8000-${String(number).padStart(12, '0')}`;
const at = '2026-01-01T00:00:00Z';
const project: OpenedProject = {
  id: idOf(1),
  track_id: idOf(2),
  name: 'Edit 1',
  job_id: idOf(3),
  has_stems: true,
  operations: 0,
  position: 0,
  version: 0,
  created_at: at,
  updated_at: at,
  state: createProjectState([{ stem_type: 'vocals', duration_ms: 10_000 }]),
};

/** Opens a piano roll of an offline project at 120 bpm. */
function openRoll(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const scope = new Scope();
  t.after(() => scope.dispose());
  let ids = 100;
  const offline = () => Promise.reject(new Error('offline'));
  const service: ProjectService = {
    add: offline,
    move: offline,
    open: offline,
    keep: () => undefined,
    isUnreachable: () => true,
    refuse: () => assert.fail('nothing is refused'),
    newId: () => idOf(ids++),
  };
  const editor = new EditorModel(new ProjectEditor({ project, operations: [] }, service, [], scope));
  scope.own(editor.editor.shown.subscribe(() => editor.refresh()));
  const auditioned: number[] = [];
  const context: RollContext = {
    audition: (pitch) => void auditioned.push(pitch),
    refuse: () => assert.fail('there is space for notes'),
    clipboard: { notes: [] },
  };
  const roll = new RollModel(editor, 'vocals', context);
  roll.setBeats({
    beatsMs: Array.from({ length: 20 }, (_, beat) => beat * 500),
    firstBar: 0,
    quartersPerBeat: 1,
  });
  roll.set({ quantisation: { grid: '1/8', strength: 100, hasEnds: false } });
  return {
    editor,
    roll,
    auditioned,
    act: (...actions: RollAction[]) => actions.map((action) => roll.act(action)),
    cursor: (ms: number) => editor.select(selectSpan(ms, ms, ['vocals'])),
    /** Notes as "start+length pitch velocity", selected ones with a star. */
    notes: () =>
      roll.notes.map(({ id, start_ms, length_ms, pitch, velocity }) => {
        const star = roll.shown.getState().selected.has(id) ? ' *' : '';
        return `${start_ms}+${length_ms} ${pitch} ${velocity}${star}`;
      }),
  };
}

test('Enter draws a note of one step at the nearest line to the cursor, and arrows move it by steps', (t) => {
  const { act, cursor, notes, auditioned, editor } = openRoll(t);
  cursor(1030);
  act('draw');
  assert.deepEqual(notes(), ['1000+250 60 100 *']);
  act('right', 'right', 'left', 'up', 'octave-up', 'down', 'octave-down', 'longer', 'longer', 'shorter');
  assert.deepEqual(notes(), ['1250+500 60 100 *']);
  assert.deepEqual(auditioned, [60, 61, 73, 72, 60]);
  act('louder', 'softer', 'softer');
  assert.deepEqual(notes(), ['1250+500 60 95 *']);
  editor.act('undo');
  assert.deepEqual(notes(), ['1250+500 60 100 *']);
});

test('notes are copied, pasted at the cursor, duplicated, cut and deleted', (t) => {
  const { act, cursor, notes, roll } = openRoll(t);
  roll.add([
    { start_ms: 500, length_ms: 250, pitch: 60, velocity: 90 },
    { start_ms: 1000, length_ms: 100, pitch: 64, velocity: 80 },
  ]);
  act('copy');
  cursor(3000);
  act('paste');
  const pasted = ['3000+250 60 90 *', '3500+100 64 80 *'];
  assert.deepEqual(notes(), ['500+250 60 90', '1000+100 64 80', ...pasted]);
  act('duplicate');
  assert.deepEqual(notes().slice(4), ['3600+250 60 90 *', '4100+100 64 80 *'], 'at the end off the grid');
  act('cut', 'select-all', 'delete');
  assert.deepEqual(notes(), []);
  act('paste');
  assert.deepEqual(notes(), pasted);
});

test('quantising takes the selected notes, or all without a selection', (t) => {
  const { act, notes, roll } = openRoll(t);
  roll.add([{ start_ms: 510, length_ms: 90, pitch: 60, velocity: 90 }]);
  roll.add([{ start_ms: 1120, length_ms: 90, pitch: 60, velocity: 90 }]);
  act('quantise');
  assert.deepEqual(notes(), ['510+90 60 90', '1000+90 60 90 *']);
  act('escape', 'quantise');
  assert.deepEqual(notes(), ['500+90 60 90', '1000+90 60 90']);
  const { steps } = roll.editor.editor.shown.getState().log;
  assert.deepEqual(
    steps.map(({ operation }) => operation),
    ['add_notes', 'add_notes', 'change_notes', 'change_notes'],
  );
});

test('Alt with the arrows selects notes one after another', (t) => {
  const { act, notes, roll } = openRoll(t);
  for (const start_ms of [0, 500, 1000]) roll.add([{ start_ms, length_ms: 1, pitch: 60, velocity: 9 }]);
  const selected = () => notes().findIndex((text) => text.endsWith('*'));
  roll.select([]);
  const steps = (['next', 'next', 'next', 'next', 'previous', 'previous', 'previous'] as const).map(
    (action) => {
      act(action);
      return selected();
    },
  );
  assert.deepEqual(steps, [0, 1, 2, 2, 1, 0, 0]);
  roll.select([]);
  act('previous');
  assert.equal(selected(), 2);
});

test('keys without a selected note are for the editor, but never delete audio', (t) => {
  const { act } = openRoll(t);
  assert.deepEqual(act('left', 'octave-up', 'escape'), [false, false, false]);
  assert.deepEqual(act('delete', 'cut', 'duplicate', 'copy', 'paste'), [true, true, true, true, true]);
});

test('drawn notes begin at the line before the press, and nothing snaps without beats or with Alt', (t) => {
  const { roll } = openRoll(t);
  assert.deepEqual(
    [740, 750, 760].map((ms) => roll.snappedDown(ms)),
    [500, 750, 750],
  );
  assert.deepEqual(
    [740, 620].map((ms) => roll.snapped(ms)),
    [750, 500],
  );
  assert.deepEqual([roll.snapped(740, true), roll.snappedDown(740, true)], [740, 740]);
  roll.set({ isSnapped: false });
  assert.deepEqual([roll.snapped(740), roll.snappedDown(740)], [740, 740]);
  roll.set({ isSnapped: true });
  roll.setBeats({ beatsMs: [], firstBar: 0, quartersPerBeat: 1 });
  assert.deepEqual([roll.snapped(740), roll.snappedDown(740), roll.stepMs(0)], [740, 740, 250]);
});

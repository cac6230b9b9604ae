import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BeatGrid, GridEdit } from '@stem-studio/contract/resources/beat-grid';
import { GridEditor } from './grid-editor.ts';

/** Opens an editor whose service replies when the test triggers it. */
function openEditor(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let shown = { grid_version: 4 } as BeatGrid;
  const sent: GridEdit[] = [];
  const failures: unknown[] = [];
  let answer: ((outcome: 'done' | Error) => void) | undefined;
  const editor = new GridEditor({
    shown: () => shown,
    send: (edit) => {
      sent.push(edit);
      return new Promise((resolve, reject) => {
        answer = (outcome) => {
          if (outcome === 'done') resolve({ ...shown, grid_version: shown.grid_version + 1 });
          else reject(outcome);
        };
      });
    },
    show: (grid) => void (shown = grid),
    fail: (error) => void failures.push(error),
  });
  const settle = async (outcome: 'done' | Error = 'done') => {
    await new Promise((resolve) => setImmediate(resolve));
    answer?.(outcome);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { editor, sent, failures, settle };
}

test('combines quick nudges into one shift, shown at once', async (t) => {
  const { editor, sent, settle } = openEditor(t);
  for (const ms of [1, 1, 10, -1]) editor.nudge(ms);
  assert.equal(editor.state.getState().previewMs, 11);
  assert.deepEqual(sent, []);
  t.mock.timers.tick(400);
  await settle();
  assert.deepEqual(sent, [{ edit: 'shift_ms', ms: 11, version: 4 }]);
  assert.deepEqual(editor.state.getState(), { previewMs: 0, isBusy: false });
});

test('sends edits in order, each based on the version of the previous one, pending nudges first', async (t) => {
  const { editor, sent, settle } = openEditor(t);
  editor.nudge(5);
  void editor.edit({ edit: 'multiply', factor: '2' });
  void editor.edit({ edit: 'lock' });
  await settle();
  assert.equal(editor.state.getState().isBusy, true);
  await settle();
  await settle();
  assert.deepEqual(sent, [
    { edit: 'shift_ms', ms: 5, version: 4 },
    { edit: 'multiply', factor: '2', version: 5 },
    { edit: 'lock', version: 6 },
  ]);
  assert.equal(editor.state.getState().isBusy, false);
});

test('reports a refused edit, reverts its preview, and sends the next one', async (t) => {
  const { editor, sent, failures, settle } = openEditor(t);
  editor.nudge(7);
  void editor.edit({ edit: 'undo' });
  await settle(new Error('locked'));
  assert.equal(editor.state.getState().previewMs, 0);
  await settle();
  assert.equal(failures.length, 1);
  assert.deepEqual(sent.at(-1), { edit: 'undo', version: 4 });
});

test('sends the pending nudge when the panel is closed', async (t) => {
  const { editor, sent, settle } = openEditor(t);
  editor.nudge(-3);
  editor.flush();
  await settle();
  assert.deepEqual(sent, [{ edit: 'shift_ms', ms: -3, version: 4 }]);
});

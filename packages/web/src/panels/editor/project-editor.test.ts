import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '@stem-studio/audio/base/scope';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { EditOperation, IdentifiedEdit } from '@stem-studio/contract/resources/edit-operation';
import type { OpenedProject } from '@stem-studio/contract/resources/project';
import { parseQueue, type QueuedChange } from './edit-queue.ts';
import { ProjectEditor, type ProjectService } from './project-editor.ts';

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
  state: createProjectState([
    { stem_type: 'vocals', duration_ms: 10_000 },
    { stem_type: 'drums', duration_ms: 10_000 },
  ]),
};

function logged(edit: IdentifiedEdit, number: number): EditOperation {
  const { id, operation, params } = edit;
  return {
    id,
    project_id: project.id,
    track_id: project.track_id,
    number,
    operation,
    params,
    applied_at: at,
  };
}

const muted = (lane: string, number: number): IdentifiedEdit => ({
  id: idOf(number),
  operation: 'mute',
  params: { stem_type: lane, value: 1 },
});

/** An editor of a service whose log is in memory; while `isDown`, no request reaches it. */
function openEditor(kept: readonly QueuedChange[] = []) {
  const log: EditOperation[] = [];
  const remote = { isDown: false, version: 0, position: 0, kept: [] as readonly QueuedChange[], refused: 0 };
  const unreachable = new Error('unreachable');
  const reached = () => (remote.isDown ? Promise.reject(unreachable) : Promise.resolve());
  let ids = 100;
  const append = (edits: readonly IdentifiedEdit[]) => {
    log.length = remote.position;
    for (const edit of edits) log.push(logged(edit, log.length + 1));
    remote.position = log.length;
    remote.version += 1;
    return { version: remote.version, position: remote.position, operations: log.slice(-edits.length) };
  };
  const service: ProjectService = {
    add: async (edits) => {
      await reached();
      return append(edits);
    },
    move: async (position, version) => {
      await reached();
      assert.equal(version, remote.version);
      Object.assign(remote, { position, version: version + 1 });
      return { position, version: version + 1 };
    },
    open: async () => {
      await reached();
      const { version, position } = remote;
      // Positions of the log are applied by the page itself in these tests.
      return { project: { ...project, version, position, operations: log.length }, operations: [...log] };
    },
    keep: (queue) => {
      remote.kept = queue;
    },
    isUnreachable: (error) => error === unreachable,
    refuse: () => {
      remote.refused += 1;
    },
    newId: () => idOf(ids++),
  };
  const scope = new Scope();
  const editor = new ProjectEditor({ project, operations: [] }, service, kept, scope);
  const mutedLanes = () =>
    editor.shown.getState().state.lanes.flatMap(({ id, is_muted }) => (is_muted ? [id] : []));
  return { editor, remote, log, append, mutedLanes, scope };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));

test('an operation shows at once and is saved, and undo and redo move the position', async (t) => {
  const { editor, remote, log, mutedLanes, scope } = openEditor();
  t.after(() => scope.dispose());
  assert.ok(editor.edit({ operation: 'mute', params: { stem_type: 'vocals', value: 1 } }));
  assert.deepEqual(mutedLanes(), ['vocals']);
  await settled();
  assert.equal(log.length, 1);
  assert.equal(editor.shown.getState().unsent, 0);
  editor.undo();
  assert.deepEqual(mutedLanes(), []);
  await settled();
  assert.equal(remote.position, 0);
  editor.redo();
  await settled();
  assert.deepEqual(mutedLanes(), ['vocals']);
  assert.equal(remote.position, 1);
});

test('an operation that changes nothing is not sent', async (t) => {
  const { editor, log, scope } = openEditor();
  t.after(() => scope.dispose());
  assert.equal(editor.edit({ operation: 'mute', params: { stem_type: 'vocals', value: 0 } }), false);
  await settled();
  assert.deepEqual(log, []);
});

test('operations without a connection are kept, and sent in order when the service is back', async (t) => {
  const { editor, remote, log, mutedLanes, scope } = openEditor();
  t.after(() => scope.dispose());
  remote.isDown = true;
  editor.edit({ operation: 'mute', params: { stem_type: 'vocals', value: 1 } });
  editor.edit({ operation: 'pan', params: { stem_type: 'drums', value: -30 } });
  await settled();
  const { isOffline, unsent } = editor.shown.getState();
  assert.deepEqual({ isOffline, unsent }, { isOffline: true, unsent: 2 });
  assert.equal(parseQueue(JSON.parse(JSON.stringify(remote.kept))).length, 2);
  remote.isDown = false;
  editor.retry();
  await settled();
  assert.deepEqual(
    log.map(({ operation }) => operation),
    ['mute', 'pan'],
  );
  assert.deepEqual(mutedLanes(), ['vocals']);
  assert.equal(editor.shown.getState().isOffline, false);
});

test('operations of another window are inserted before those that are not sent yet', async (t) => {
  const { editor, remote, append, log, mutedLanes, scope } = openEditor();
  t.after(() => scope.dispose());
  remote.isDown = true;
  editor.edit({ operation: 'mute', params: { stem_type: 'vocals', value: 1 } });
  await settled();
  editor.takeAdded({ ...append([muted('drums', 50)]), dropped: 0 });
  assert.deepEqual(mutedLanes(), ['vocals', 'drums']);
  assert.deepEqual(
    editor.shown.getState().log.steps.map(({ id }) => id),
    [idOf(50), idOf(100)],
  );
  remote.isDown = false;
  editor.retry();
  await settled();
  assert.deepEqual(
    log.map(({ id }) => id),
    [idOf(50), idOf(100)],
  );
});

test('changes that an earlier page could not send are sent when the project is opened', async (t) => {
  const { log, mutedLanes, scope } = openEditor([{ edit: muted('drums', 60) }]);
  t.after(() => scope.dispose());
  assert.deepEqual(mutedLanes(), ['drums']);
  await settled();
  assert.equal(log[0]?.id, idOf(60));
});

test('parses kept changes and drops entries of another form', () => {
  const edit = muted('vocals', 1);
  assert.deepEqual(parseQueue([{ edit }, { position: 3 }, { edit: { id: 1 } }, 'x', null]), [
    { edit },
    { position: 3 },
  ]);
  assert.deepEqual(parseQueue({}), []);
});

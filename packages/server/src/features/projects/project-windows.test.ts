import assert from 'node:assert/strict';
import { test } from 'node:test';
import { topicOf } from '@stem-studio/contract/channel';
import {
  addEditOperations,
  deleteProject,
  duplicateProject,
  getProject,
  updateProject,
} from '@stem-studio/contract/endpoints/projects';
import { projectChannel } from '@stem-studio/contract/events/projects';
import type { EditOperation } from '@stem-studio/contract/resources/edit-operation';
import { liveSocket, logIn } from '../../testing/deck-windows.ts';
import { type LibraryApp, listenTo, openLibrary } from '../../testing/library-steps.ts';
import { applied, logOf, openProjectStudio, sentEdit } from '../../testing/project-steps.ts';
import { joined, until } from '../../testing/socket-client.ts';

test('every window of the owner gets each change in one order, and no one else joins', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, trackId, project } = studio;
  const address = await library.service.listen(0, '127.0.0.1');
  const open = async (by: Parameters<typeof logIn>[1]) => {
    const socket = liveSocket(t, address, await logIn(library.context, by));
    socket.connect();
    const channel = socket.channel(topicOf(projectChannel, { track_id: trackId }));
    const pushes: [string, unknown][] = [];
    for (const [event, schema] of Object.entries(projectChannel.pushes))
      channel.on(event, (payload: unknown) => void pushes.push([event, schema.parse(payload)]));
    return { reply: await joined(channel), pushes };
  };
  const stranger = await open(await library.registerUser('admin'));
  assert.equal(stranger.reply.status, 'error');
  const windows = [await open(library.user), await open(library.user)];
  const all = Array.from({ length: 10 }, (_, index) => sentEdit('split', { start_ms: 100 * (index + 1) }));
  await Promise.all(all.map((edit) => studio.send([edit])));
  await studio.setPosition(4, 10);
  await studio.send([sentEdit('marker', { start_ms: 0, label: 'Intro' })]);
  for (const { pushes } of windows) {
    await until(
      () => pushes.length === 12,
      () => pushes,
    );
    assert.deepEqual(
      pushes.map(([, payload]) => (payload as { version: number }).version),
      Array.from({ length: 12 }, (_, index) => index + 1),
    );
  }
  assert.deepEqual(windows[0]?.pushes, windows[1]?.pushes);
  const [position, marker] = windows[0]?.pushes.slice(-2) ?? [];
  assert.deepEqual(position, ['position_changed', { project_id: project.id, version: 11, position: 4 }]);
  const { dropped, operations } = (marker?.[1] ?? {}) as { dropped: number; operations: EditOperation[] };
  assert.deepEqual(
    [marker?.[0], dropped, operations.map(({ number }) => number)],
    ['operations_added', 6, [5]],
  );

  // A window that applies the pushes has the state of the service.
  const received: EditOperation[] = [];
  for (const [event, payload] of windows[0]?.pushes ?? []) {
    if (event !== 'operations_added') continue;
    const added = payload as { dropped: number; operations: EditOperation[] };
    received.splice(received.length - added.dropped, added.dropped, ...added.operations);
  }
  assert.deepEqual(received, await logOf(studio));
  assert.deepEqual((await studio.read()).state, applied(project.state, received));
});

test('two processes append to a log in one order, and a project survives the end of the one that made it', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, project } = studio;
  const database = { connection: library.context.connection, drop: () => Promise.resolve() };
  const other = await openLibrary(t, { database });
  const params = { id: project.id };
  const sendTo = (service: LibraryApp, at: number) =>
    service.ask(
      addEditOperations,
      {
        params,
        body: { edits: [sentEdit('split', { start_ms: at }), sentEdit('split', { start_ms: at + 1 })] },
      },
      library.user,
    );
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, index) => sendTo(index % 2 === 0 ? library : other, 10 * (index + 1))),
  );
  const versions = replies.map(({ body }) => body.data.version);
  assert.deepEqual(
    versions.toSorted((one, two) => one - two),
    Array.from({ length: 16 }, (_, index) => index + 1),
  );
  const log = await logOf(studio);
  assert.deepEqual(
    log.map(({ number }) => number),
    Array.from({ length: 32 }, (_, index) => index + 1),
  );
  // Operations of one request are neighbours, in the order of the versions.
  for (const { body } of replies) {
    const { version, operations } = body.data;
    assert.deepEqual(operations, log.slice(2 * (version - 1), 2 * version));
  }
  const before = await studio.read();
  assert.deepEqual(before.state, applied(project.state, log));
  await library.service.stop();
  const shown = await other.ask(getProject, { params }, library.user);
  assert.deepEqual(shown.body.data, before);
});

test('projects that are created, renamed and deleted are pushed to the windows of their track', async (t) => {
  const studio = await openProjectStudio(t);
  const all = listenTo(studio.library.context, topicOf(projectChannel, { track_id: studio.trackId }));
  const { library, project } = studio;
  const copy = (await library.ask(duplicateProject, { params: { id: project.id }, body: { name: 'B' } })).body
    .data;
  const params = { id: copy.id };
  await library.ask(updateProject, { params, body: { name: 'C' } });
  await library.ask(deleteProject, { params });
  // The creation of the first project may be among them.
  const received = () => all.filter(({ payload }) => !JSON.stringify(payload).includes(project.id));
  await until(() => received().length === 3);
  const { state: _state, ...created } = copy;
  assert.deepEqual(
    received().map(({ event, payload }) => [event, payload]),
    [
      ['project_created', { project: created }],
      ['project_updated', { project: { ...created, name: 'C' } }],
      ['project_deleted', { project_id: copy.id }],
    ],
  );
});

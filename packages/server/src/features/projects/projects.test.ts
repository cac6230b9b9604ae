import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deleteStems } from '@stem-studio/contract/endpoints/processing';
import {
  createProject,
  deleteProject,
  duplicateProject,
  getProject,
  listEditOperations,
  listProjects,
  updateProject,
} from '@stem-studio/contract/endpoints/projects';
import { deleteTrack, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { editBounds } from '@stem-studio/contract/limits';
import { createProjectState } from '@stem-studio/contract/projects/project-state';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { emit } from '../../platform/events.ts';
import { newId } from '../../platform/ids.ts';
import { openLibrary } from '../../testing/library-steps.ts';
import { openProjectStudio, sentEdit } from '../../testing/project-steps.ts';
import { insertSeparatedTrack, insertSeparationOf } from '../../testing/separated-track.ts';
import { insertTestTrack } from '../../testing/test-track.ts';
import { replaceSeparations } from '../processing/separations.service.ts';
import { projectsPart } from './account-part.ts';

test('a new project has a lane with one clip per stem of the chosen separation, in the order of stem types', async (t) => {
  const { project, trackId, jobId, library } = await openProjectStudio(t);
  assert.deepEqual(
    [project.track_id, project.job_id, project.has_stems, project.name],
    [trackId, jobId, true, 'Edit 1'],
  );
  assert.deepEqual([project.operations, project.position, project.version], [0, 0, 0]);
  const lanes = project.state.lanes.map(({ id }) => id);
  assert.deepEqual(lanes, ['vocals', 'drums', 'bass', 'other']);
  assert.deepEqual(
    project.state,
    createProjectState(lanes.map((id) => ({ stem_type: id as StemType, duration_ms: 60_000 }))),
  );
  const shown = await library.ask(getProject, { params: { id: project.id } });
  assert.deepEqual(shown.body.data, project);
  const { state: _state, ...listed } = project;
  assert.deepEqual((await library.ask(listProjects, { params: { id: trackId } })).body.data, [listed]);
});

test('a project of a track without stems, of a preview, or of a separation of another track is refused', async (t) => {
  const library = await openLibrary(t);
  const { context, user } = library;
  const id = await insertTestTrack(context, user.id);
  const bare = await library.ask(createProject, { params: { id }, body: {} });
  assert.deepEqual([bare.status, bare.error.code], [422, 'TRACK_NOT_SEPARATED']);
  assert.match(bare.error.error, /separate it/);
  const preview = await insertSeparationOf(context, user.id, id, { isPreview: true });
  const other = await insertSeparatedTrack(context, user.id);
  for (const job_id of [preview, other.jobId, newId()]) {
    const refused = await library.ask(createProject, { params: { id }, body: { job_id } });
    assert.deepEqual([refused.status, refused.error.error], [404, 'separation not found']);
  }
  const older = await insertSeparationOf(context, user.id, id, { types: ['vocals', 'other'] });
  await insertSeparationOf(context, user.id, id);
  const made = await library.ask(createProject, { params: { id }, body: { job_id: older, name: ' Radio ' } });
  const { name, job_id, state } = made.body.data;
  assert.deepEqual([name, job_id, state.lanes.length], ['Radio', older, 2]);
});

test('projects of a track are renamed, duplicated with their log, listed by their last change, and deleted', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, project, trackId, clock } = studio;
  const params = { id: project.id };
  await studio.send([
    sentEdit('mute', { stem_type: 'vocals', value: 1 }),
    sentEdit('split', { start_ms: 1000 }),
  ]);
  const { version } = await studio.read();
  await studio.setPosition(1, version);
  clock.advance(1);
  const renamed = await library.ask(updateProject, { params, body: { name: 'Karaoke' } });
  assert.deepEqual([renamed.status, renamed.body.data.name, renamed.body.data.version], [200, 'Karaoke', 2]);

  const copied = (await library.ask(duplicateProject, { params, body: {} })).body.data;
  assert.deepEqual(
    [copied.name, copied.operations, copied.position, copied.version],
    ['Karaoke (copy)', 2, 1, 0],
  );
  const original = await studio.read();
  assert.deepEqual(copied.state, original.state);
  const logOf = async (id: string) =>
    (await library.ask(listEditOperations, { params: { id } })).body.data.map(
      ({ project_id: _project, ...operation }) => operation,
    );
  assert.deepEqual(await logOf(copied.id), await logOf(project.id));

  clock.advance(1);
  await studio.send([sentEdit('solo', { stem_type: 'bass', value: 1 })]);
  const list = async () =>
    (await library.ask(listProjects, { params: { id: trackId } })).body.data.map(({ name }) => name);
  assert.deepEqual(await list(), ['Karaoke', 'Karaoke (copy)']);
  assert.deepEqual((await library.ask(getProject, { params: { id: copied.id } })).body.data, copied);
  assert.equal((await library.ask(deleteProject, { params })).status, 204);
  assert.deepEqual(await list(), ['Karaoke (copy)']);
  assert.equal((await library.ask(getProject, { params })).status, 404);
  assert.equal((await library.ask(deleteProject, { params })).status, 404);
});

test('the name of a copy stays within the length of a name', async (t) => {
  const { library, project } = await openProjectStudio(t);
  const params = { id: project.id };
  const name = `${'a'.repeat(editBounds.name - 1)}é`;
  assert.equal((await library.ask(updateProject, { params, body: { name } })).status, 200);
  const copied = (await library.ask(duplicateProject, { params, body: {} })).body.data.name;
  assert.equal(copied, `${'a'.repeat(editBounds.name - 7)} (copy)`);
  for (const refused of ['', '  ', `${name}x`]) {
    const reply = await library.ask(updateProject, { params, body: { name: refused } });
    assert.deepEqual([reply.status, Object.keys(reply.error.details ?? {})], [422, ['name']]);
  }
});

test('a track has a limited number of projects', async (t) => {
  const { library, project, trackId } = await openProjectStudio(t);
  const { context } = library;
  const now = context.clock.now();
  const { job_id } = project;
  const counts = { operations: 0, position: 0, version: 0, created_at: now, updated_at: now };
  await context.db
    .insertInto('projects')
    .values(
      Array.from({ length: editBounds.projectsPerTrack - 1 }, (_, index) => ({
        id: newId(),
        track_id: trackId,
        name: `Edit ${index + 2}`,
        job_id,
        ...counts,
      })),
    )
    .execute();
  const refused = [
    await library.ask(createProject, { params: { id: trackId }, body: {} }),
    await library.ask(duplicateProject, { params: { id: project.id }, body: {} }),
  ];
  for (const { status, error } of refused) {
    assert.deepEqual([status, error.code], [422, 'TOO_MANY_PROJECTS']);
    assert.match(error.error, /at most 100 projects \(it has 100\)/);
  }
});

test('the projects of a track are deleted and restored with it', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, trackId, project } = studio;
  const params = { id: trackId };
  await studio.send([sentEdit('cut', { start_ms: 0, end_ms: 100 })]);
  const before = await studio.read();
  assert.equal((await library.ask(deleteTrack, { params })).status, 204);
  assert.equal((await library.ask(getProject, { params: { id: project.id } })).status, 404);
  assert.equal((await studio.send([sentEdit('split', { start_ms: 5 })])).status, 404);
  assert.equal((await library.ask(restoreTrack, { params })).status, 200);
  assert.deepEqual(await studio.read(), before);

  await library.context.db.deleteFrom('tracks').where('id', '=', trackId).execute();
  for (const table of ['projects', 'edit_operations', 'project_snapshots'] as const)
    assert.deepEqual(await library.context.db.selectFrom(table).selectAll().execute(), [], table);
});

test('a project whose stems are deleted is kept, and continues with the next separation into the same stems', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, trackId, jobId, project } = studio;
  const { context, user } = library;
  await studio.send([sentEdit('volume', { stem_type: 'drums', value: 80 })]);
  const before = await studio.read();
  assert.equal((await library.ask(deleteStems, { params: { id: jobId } })).status, 200);
  assert.deepEqual(await studio.read(), { ...before, has_stems: false });
  const refused = await studio.send([sentEdit('split', { start_ms: 100 })]);
  assert.deepEqual([refused.status, refused.error.code], [422, 'PROJECT_WITHOUT_STEMS']);
  assert.match(refused.error.error, /operations are kept\. Separate the track/);

  const separate = async (stems: Parameters<typeof insertSeparationOf>[3]) => {
    const job_id = await insertSeparationOf(context, user.id, trackId, stems);
    const event = { track_id: trackId, user_id: user.id, job_id };
    await context.db.transaction().execute((tx) => emit(context, tx, 'processing.completed', event));
    return job_id;
  };
  await separate({ types: ['vocals', 'other'] });
  assert.equal((await studio.read()).has_stems, false);
  await separate({ isPreview: true });
  assert.equal((await studio.read()).has_stems, false);
  const six = await separate({ types: ['vocals', 'drums', 'bass', 'other', 'guitar', 'piano'] });
  assert.deepEqual(await studio.read(), { ...before, job_id: six });
  assert.equal((await studio.send([sentEdit('split', { start_ms: 100 })])).status, 201);

  // Deleted while the track has others with the same stems: the project takes those at once.
  const four = await separate({});
  const other = await library.ask(createProject, { params: { id: trackId }, body: { job_id: four } });
  assert.equal((await library.ask(deleteStems, { params: { id: six } })).status, 200);
  assert.deepEqual([(await studio.read()).job_id, (await studio.read()).has_stems], [four, true]);
  assert.equal(other.body.data.job_id, four);
  assert.equal((await library.ask(getProject, { params: { id: project.id } })).body.data.operations, 2);
});

test('a project follows the separation that replaces its own', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, project, trackId, jobId } = studio;
  const { context, user } = library;
  const next = await insertSeparationOf(context, user.id, trackId);
  const run = { jobId: next, trackId, userId: user.id };
  const args = { model: 'hybrid_4', engine: 'local', preview: false } as const;
  await context.db.transaction().execute((tx) => replaceSeparations(context, tx, run, args));
  assert.equal(
    await context.db.selectFrom('stems').where('processing_job_id', '=', jobId).executeTakeFirst(),
    undefined,
  );
  assert.deepEqual(await studio.read(), { ...project, job_id: next });
});

test('the account export has each project with its operations, those that were undone included', async (t) => {
  const studio = await openProjectStudio(t);
  const { library, trackId, project } = studio;
  await studio.send([sentEdit('split', { start_ms: 5 }), sentEdit('mute', { value: 1 })]);
  await studio.setPosition(1, 1);
  await insertSeparatedTrack(library.context, (await library.registerUser()).id);
  const request = { userId: library.user.id, studioUrl: 'http://studio' };
  const files: { readonly name: string; readonly text: string }[] = [];
  for await (const { name, bytes } of projectsPart.files(library.context, request)) {
    const parts: Uint8Array[] = [];
    for await (const part of bytes) parts.push(part);
    files.push({ name, text: Buffer.concat(parts).toString() });
  }
  assert.deepEqual(
    files.map((file) => file.name),
    [`projects/${trackId}/${project.id}.json`],
  );
  const { operations, position, name } = JSON.parse(files[0]?.text ?? '') as {
    operations: { operation: string; number: number }[];
    position: number;
    name: string;
  };
  assert.deepEqual([name, position], ['Edit 1', 1]);
  assert.deepEqual(
    operations.map(({ operation, number }) => [operation, number]),
    [
      ['split', 1],
      ['mute', 2],
    ],
  );
});

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  addEditOperations,
  createProject,
  getProject,
  listEditOperations,
  setProjectPosition,
} from '@stem-studio/contract/endpoints/projects';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import { editOf } from '@stem-studio/contract/projects/edit-history';
import type { EditKind, EditOperation } from '@stem-studio/contract/resources/edit-operation';
import type { OpenedProject, ProjectState } from '@stem-studio/contract/resources/project';
import { type Answer, type Caller, type LibraryApp, openLibrary } from './library-steps.ts';
import { insertSeparatedTrack } from './separated-track.ts';
import { createStillClock, type TestClock } from './test-clock.ts';
import type { TestLifetime } from './test-context.ts';

/** An operation as a window sends it. */
export interface SentEdit {
  readonly id: string;
  readonly operation: string;
  readonly params: object;
}

/** Returns an operation with a new id. */
export const sentEdit = (operation: EditKind, params: object): SentEdit => ({
  id: randomUUID(),
  operation,
  params,
});

/** The service with a track with stems and a project of it. */
export interface ProjectStudio {
  readonly library: LibraryApp;
  readonly clock: TestClock;
  readonly trackId: string;
  readonly jobId: string;
  readonly project: OpenedProject;
  /** Appends operations. */
  send(edits: readonly SentEdit[], as?: Caller): Promise<Answer<typeof addEditOperations>>;
  setPosition(position: number, version: number, as?: Caller): Promise<Answer<typeof setProjectPosition>>;
  /** Returns the project as it is now. */
  read(): Promise<OpenedProject>;
}

/** Opens the service with a project of a track whose stems have no files. */
export async function openProjectStudio(t: TestLifetime): Promise<ProjectStudio> {
  const clock = createStillClock();
  const library = await openLibrary(t, { clock });
  const { trackId, jobId } = await insertSeparatedTrack(library.context, library.user.id);
  const made = await library.ask(createProject, { params: { id: trackId }, body: {} });
  const project = made.body.data;
  const params = { id: project.id };
  return {
    library,
    clock,
    trackId,
    jobId,
    project,
    send: (edits, as) => library.ask(addEditOperations, { params, body: { edits } }, as),
    setPosition: (position, version, as) =>
      library.ask(setProjectPosition, { params, body: { position, version } }, as),
    read: async () => (await library.ask(getProject, { params })).body.data,
  };
}

/** Returns the log of the project. */
export const logOf = async ({ library, project }: ProjectStudio) =>
  (await library.ask(listEditOperations, { params: { id: project.id } })).body.data;

/** Applies operations as a window does. */
export const applied = (state: ProjectState, operations: readonly EditOperation[]) =>
  operations.reduce((before, operation) => {
    const edit = editOf(operation);
    assert.ok(edit);
    return applyEdit(before, edit);
  }, state);

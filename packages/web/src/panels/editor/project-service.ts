import {
  addEditOperations,
  getProject,
  listEditOperations,
  setProjectPosition,
} from '@stem-studio/contract/endpoints/projects';
import { randomUuid } from '../../base/random-name.ts';
import { ApiError, errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { readTabStorage, writeTabStorage } from '../../client/tab-storage.ts';
import { toastError } from '../../state/toasts.state.ts';
import { parseQueue, type QueuedChange } from './edit-queue.ts';
import type { ProjectService } from './project-editor.ts';

const storageKey = (projectId: string) => `editor-unsent-${projectId}`;

/** Returns the changes of a project that an earlier page of this tab could not send. */
export function keptChanges(projectId: string): QueuedChange[] {
  return parseQueue(readTabStorage(storageKey(projectId)));
}

/** Fetches a project and its log; both again if the project changed in between. */
async function openProject(id: string) {
  for (;;) {
    const operations = (await call(listEditOperations, { params: { id } })).data;
    const project = (await call(getProject, { params: { id } })).data;
    if (project.operations === operations.length) return { project, operations };
  }
}

/** Returns the access of an editor to its project. */
export function projectService(id: string): ProjectService {
  return {
    add: async (edits) =>
      (await call(addEditOperations, { params: { id }, body: { edits: [...edits] } })).data,
    move: async (position, version) =>
      (await call(setProjectPosition, { params: { id }, body: { position, version } })).data,
    open: async () => await openProject(id),
    keep: (queue) => writeTabStorage(storageKey(id), queue),
    isUnreachable: (error) =>
      error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500),
    refuse: (error) => toastError('The change was not saved', errorText(error)),
    newId: randomUuid,
  };
}

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { editBounds } from '../limits.ts';
import { editOperation, identifiedEdit } from '../resources/edit-operation.ts';
import { openedProject, project } from '../resources/project.ts';

const name = z.string().trim().min(1).max(editBounds.name);
const version = z.int().min(0);
const position = z.int().min(0).max(editBounds.operations);

/** Lists the projects of a track, the last changed first. */
export const listProjects = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/projects',
  summary: 'Projects of a track',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(z.array(project)),
});

/**
 * Creates a project with the stems of a separation of the track, by default the chosen one. Without a name it is
 * called "Edit" and a number.
 */
export const createProject = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/projects',
  summary: 'Create a project',
  auth: 'api',
  scope: 'tracks:write',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_SEPARATED', 'TOO_MANY_PROJECTS'],
  params: idParams,
  body: z.strictObject({ name: name.optional(), job_id: uuid.optional() }),
  reply: dataOf(openedProject),
});

/** Returns a project with its state at its position in the log. */
export const getProject = endpoint({
  method: 'GET',
  path: '/api/projects/:id',
  summary: 'A project and its state',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(openedProject),
});

/** Renames a project. */
export const updateProject = endpoint({
  method: 'PATCH',
  path: '/api/projects/:id',
  summary: 'Rename a project',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  body: z.strictObject({ name }),
  reply: dataOf(project),
});

/** Deletes a project with its log. The stems stay. */
export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/api/projects/:id',
  summary: 'Delete a project',
  auth: 'api',
  scope: 'tracks:write',
  status: 204,
  errors: ['NOT_FOUND'],
  params: idParams,
});

/** Copies a project with its log and position. Without a name the copy is called after the project. */
export const duplicateProject = endpoint({
  method: 'POST',
  path: '/api/projects/:id/duplicate',
  summary: 'Duplicate a project',
  auth: 'api',
  scope: 'tracks:write',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TOO_MANY_PROJECTS'],
  params: idParams,
  body: z.strictObject({ name: name.optional() }),
  reply: dataOf(openedProject),
});

/** Returns the whole log of a project in its order, including operations that were undone. */
export const listEditOperations = endpoint({
  method: 'GET',
  path: '/api/projects/:id/operations',
  summary: 'Edit operations of a project',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(z.array(editOperation)),
});

/**
 * Appends operations to the log after its position, all or none; operations that were undone are dropped. An operation
 * whose id the log had already is not appended again, so a request without a reply can be repeated.
 *
 * @spec Edit operations
 */
export const addEditOperations = endpoint({
  method: 'POST',
  path: '/api/projects/:id/operations',
  summary: 'Append edit operations',
  auth: 'api',
  scope: 'tracks:write',
  status: 201,
  errors: ['NOT_FOUND', 'PROJECT_WITHOUT_STEMS', 'TOO_MANY_OPERATIONS', 'TOO_MANY_CLIPS', 'TOO_MANY_NOTES'],
  params: idParams,
  body: z.strictObject({ edits: z.array(identifiedEdit).min(1).max(editBounds.operationsPerRequest) }),
  reply: dataOf(
    z.object({
      version,
      position,
      /** Operations of the request that are in the log now; one that was undone and dropped meanwhile is not. */
      operations: z.array(editOperation),
    }),
  ),
});

/**
 * Undoes or redoes operations: sets the number of those that are applied. Replies 409 with the current version and
 * position if the project has changed since the given version.
 *
 * @spec Edit operations
 */
export const setProjectPosition = endpoint({
  method: 'PUT',
  path: '/api/projects/:id/position',
  summary: 'Undo or redo edit operations',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'PROJECT_CHANGED'],
  params: idParams,
  body: z.strictObject({ position, version }),
  reply: dataOf(z.object({ version, position })),
});

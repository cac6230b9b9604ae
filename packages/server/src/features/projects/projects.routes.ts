import {
  addEditOperations,
  createProject,
  deleteProject,
  duplicateProject,
  getProject,
  listEditOperations,
  listProjects,
  setProjectPosition,
  updateProject,
} from '@stem-studio/contract/endpoints/projects';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route, withStatus } from '../../platform/http/route.ts';
import { addEdits, setPosition, showEdits } from './edit-log.service.ts';
import {
  addProject,
  copyProject,
  removeProject,
  renameProject,
  showProject,
  showProjects,
} from './projects.service.ts';

/** Mounts the endpoints of projects and their logs. */
export function projectRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listProjects, async ({ viewer, params }) => ({
    data: await showProjects(context, viewer, params.id),
  }));

  route(app, context, createProject, async ({ viewer, params, body }) => ({
    data: await addProject(context, viewer, params.id, body),
  }));

  route(app, context, getProject, async ({ viewer, params }) => ({
    data: await showProject(context, viewer, params.id),
  }));

  route(app, context, updateProject, async ({ viewer, params, body }) => ({
    data: await renameProject(context, viewer, params.id, body),
  }));

  route(app, context, deleteProject, async ({ viewer, params }) => {
    await removeProject(context, viewer, params.id);
    return undefined;
  });

  route(app, context, duplicateProject, async ({ viewer, params, body }) => ({
    data: await copyProject(context, viewer, params.id, body),
  }));

  route(app, context, listEditOperations, async ({ viewer, params }) => ({
    data: await showEdits(context, viewer, params.id),
  }));

  route(app, context, addEditOperations, async ({ viewer, params, body }) => {
    const { isNew, reply } = await addEdits(context, viewer, params.id, body);
    return withStatus(isNew ? 201 : 200, { data: reply });
  });

  route(app, context, setProjectPosition, async ({ viewer, params, body }) => ({
    data: await setPosition(context, viewer, params.id, body),
  }));
}

import { editBeatGrid, getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { editGrid, showGrid } from './beat-grid.service.ts';

/** Mounts the endpoints of beat grids. */
export function beatGridRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, getBeatGrid, async ({ viewer, params }) => ({
    data: await showGrid(context, viewer, params.id),
  }));

  route(app, context, editBeatGrid, async ({ viewer, params, body }) => ({
    data: await editGrid(context, viewer, params.id, body),
  }));
}

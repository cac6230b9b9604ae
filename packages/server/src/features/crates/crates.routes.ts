import {
  createCrate,
  deleteCrate,
  listCrates,
  listCrateTracks,
  putCrateTracks,
  removeCrateTracks,
  updateCrate,
} from '@stem-studio/contract/endpoints/crates';
import { listTrackIds, listTracks } from '@stem-studio/contract/endpoints/tracks';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { showTrackIds, showTracks } from '../tracks/index.ts';
import {
  addCrate,
  dropCrate,
  editCrate,
  findSubset,
  putTracks,
  removeTracks,
  showCrates,
  showCrateTracks,
} from './crates.service.ts';

/** Mounts the endpoints of crates, and the lists of tracks of the library or of a crate. */
export function crateRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, listCrates, async ({ viewer }) => ({ data: await showCrates(context, viewer) }));

  route(app, context, createCrate, async ({ viewer, body }) => ({
    data: await addCrate(context, viewer, body),
  }));

  route(app, context, updateCrate, async ({ viewer, params, body }) => ({
    data: await editCrate(context, viewer, params.id, body),
  }));

  route(app, context, deleteCrate, async ({ viewer, params }) => {
    await dropCrate(context, viewer, params.id);
    return undefined;
  });

  route(app, context, listTracks, async ({ viewer, query: { crate, ...query } }) =>
    showTracks(context, viewer, query, await findSubset(context, viewer, crate)),
  );

  route(app, context, listTrackIds, async ({ viewer, query: { crate, ...query } }) => ({
    data: await showTrackIds(context, viewer, query, await findSubset(context, viewer, crate)),
  }));

  route(app, context, listCrateTracks, ({ viewer, params, query }) =>
    showCrateTracks(context, viewer, params.id, query),
  );

  route(app, context, putCrateTracks, async ({ viewer, params, body }) => ({
    data: await putTracks(context, viewer, params.id, body),
  }));

  route(app, context, removeCrateTracks, async ({ viewer, params, body }) => ({
    data: await removeTracks(context, viewer, params.id, body),
  }));
}

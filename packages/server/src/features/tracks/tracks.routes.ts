import { freeSpace } from '@stem-studio/contract/endpoints/account';
import { listPlayedSets, recordPlay } from '@stem-studio/contract/endpoints/plays';
import {
  deleteTrack as deleteTrackEndpoint,
  getTrack,
  listDuplicates,
  listRelatedTracks,
  restoreTrack as restoreTrackEndpoint,
  updateTrack,
  updateTracks,
} from '@stem-studio/contract/endpoints/tracks';
import { listTrash, purgeTrack } from '@stem-studio/contract/endpoints/trash';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { route } from '../../platform/http/route.ts';
import { editTrack, editTracks } from './edit-tracks.service.ts';
import { addPlay, showPlayedSets } from './plays.service.ts';
import { showRelatedTracks } from './related-tracks.service.ts';
import { deleteTrack, findOwnedTrack, restoreTrack, showDuplicates, showTrack } from './tracks.service.ts';
import { purgeDeletedTracksOf } from './tracks.sweeper.ts';
import { purgeFromTrash, showTrash } from './trash.service.ts';

/** Registers the library routes, except the list of tracks, which the crates register because it may be one. */
export function trackRoutes(app: FastifyInstance, context: Context): void {
  route(app, context, freeSpace, async ({ viewer }) => {
    const { tracks, freedBytes } = await purgeDeletedTracksOf(context, viewer.id);
    return { data: { tracks, freed_bytes: freedBytes } };
  });

  route(app, context, listTrash, ({ viewer, query }) => showTrash(context, viewer, query));

  route(app, context, purgeTrack, async ({ viewer, params }) => {
    await purgeFromTrash(context, viewer, params.id);
    return undefined;
  });

  route(app, context, getTrack, async ({ viewer, params }) => ({
    data: await showTrack(context, viewer, params.id),
  }));

  route(app, context, listRelatedTracks, async ({ viewer, params, query }) => ({
    data: await showRelatedTracks(context, viewer, params.id, query.limit),
  }));

  route(app, context, listDuplicates, async ({ viewer, params }) => ({
    data: await showDuplicates(context, viewer, params.id),
  }));

  route(app, context, updateTrack, async ({ viewer, params, body }) => {
    await editTrack(context, await findOwnedTrack(context.db, viewer, params.id), body);
    return { data: await showTrack(context, viewer, params.id) };
  });

  route(app, context, updateTracks, async ({ viewer, body }) => ({
    data: await editTracks(context, viewer, body),
  }));

  route(app, context, recordPlay, async ({ viewer, params, body }) => ({
    data: await addPlay(context, viewer, params.id, body),
  }));

  route(app, context, listPlayedSets, ({ viewer, query }) => showPlayedSets(context, viewer, query));

  route(app, context, deleteTrackEndpoint, async ({ viewer, params }) => {
    await deleteTrack(context, await findOwnedTrack(context.db, viewer, params.id));
    return undefined;
  });

  route(app, context, restoreTrackEndpoint, async ({ viewer, params }) => {
    await restoreTrack(context, viewer, params.id);
    return { data: await showTrack(context, viewer, params.id) };
  });
}

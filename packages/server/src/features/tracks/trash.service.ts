import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { listTrash, TrashedTrack } from '@stem-studio/contract/endpoints/trash';
import { metaFor, type PageMeta } from '@stem-studio/contract/envelope';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { presentTracks } from './tracks.service.ts';
import { purge } from './tracks.sweeper.ts';
import * as store from './trash.store.ts';
import { restorableSince, trashMs } from './trash-time.ts';

/** Returns a page of the caller's deleted tracks with the time that is left to restore them. */
export async function showTrash(
  context: Context,
  viewer: Viewer,
  { page, page_size }: HandlerInput<typeof listTrash>['query'],
): Promise<{ data: TrashedTrack[]; meta: PageMeta }> {
  const part = { offset: (page - 1) * page_size, limit: page_size };
  const { rows, totalCount } = await store.listTrash(context.db, viewer.id, restorableSince(context), part);
  const tracks = await presentTracks(
    context.db,
    rows.map(({ track }) => track),
  );
  const nowMs = context.clock.now().getTime();
  const data = rows.flatMap(({ deletedAt, bytes }, index) => {
    const track = tracks[index];
    if (!track) return [];
    const removedMs = deletedAt.getTime() + trashMs(context);
    return [
      {
        track,
        deleted_at: deletedAt.toISOString(),
        removed_at: new Date(removedMs).toISOString(),
        seconds_left: Math.max(0, Math.floor((removedMs - nowMs) / 1000)),
        bytes,
      },
    ];
  });
  return { data, meta: metaFor(page, page_size, totalCount) };
}

/** Deletes one of the caller's deleted tracks for good. Throws `NOT_FOUND` if it is not in the trash. */
export async function purgeFromTrash(context: Context, viewer: Viewer, id: string): Promise<void> {
  const { tracks } = await purge(context, (tx) => store.lockDeleted(tx, viewer.id, id));
  if (tracks === 0) throw notFound('deleted track');
}

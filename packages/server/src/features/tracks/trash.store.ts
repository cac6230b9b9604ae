import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { type TrackRow, type TrackWithAudio, withAudio } from './tracks.store.ts';

/** A deleted track with the bytes that it is charged for. */
export interface TrashRow {
  readonly track: TrackWithAudio;
  readonly deletedAt: Date;
  readonly bytes: number;
}

/** Lists a user's tracks deleted after `since`, the last deleted first, and counts them. */
export async function listTrash(
  db: Db,
  userId: number,
  since: Date,
  page: { readonly offset: number; readonly limit: number },
): Promise<{ readonly rows: TrashRow[]; readonly totalCount: number }> {
  const inTrash = db
    .selectFrom('tracks')
    .where('tracks.user_id', '=', userId)
    .where('deleted_at', '>=', since);
  const { count } = await inTrash
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const found = await inTrash
    .leftJoin('track_storage', 'track_storage.track_id', 'tracks.id')
    .selectAll('tracks')
    .select(sql<number>`(coalesce(audio_bytes, 0) + coalesce(stem_bytes, 0))::bigint`.as('bytes'))
    .orderBy('deleted_at', 'desc')
    .orderBy('tracks.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  const tracks = await withAudio(db, found);
  const rows = tracks.flatMap((track, index) => {
    const { deleted_at: deletedAt } = track;
    return deletedAt === null ? [] : [{ track, deletedAt, bytes: found[index]?.bytes ?? 0 }];
  });
  return { rows, totalCount: count };
}

/** Returns a user's deleted track in a list, locked until the transaction ends; empty if there is none. */
export function lockDeleted(db: Db, userId: number, id: string): Promise<TrackRow[]> {
  return db
    .selectFrom('tracks')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deleted_at', 'is not', null)
    .forUpdate()
    .execute();
}

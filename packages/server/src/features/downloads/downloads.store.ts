import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { audioSourceExists, hasAudio, liveOwnerOf, trackExists } from '../tracks/index.ts';

/** Returns the folder ids of uploads whose track has no audio yet; these bytes are the only copy. */
export async function listAwaitedUploads(db: Db): Promise<Set<string>> {
  const rows = await db
    .selectFrom('jobs')
    .select(sql<string>`args #>> '{source,source_id}'`.as('source_id'))
    .where('type', '=', 'download')
    .where('subject_kind', '=', 'track')
    .where(trackExists(sql.ref('jobs.subject_id')))
    .where(sql<boolean>`args #>> '{source,kind}' = 'upload'`)
    .where((e) => e.or([e('finished_at', 'is', null), e.not(hasAudio(sql.ref('jobs.subject_id')))]))
    .execute();
  return new Set(rows.map((row) => row.source_id));
}

/** Returns the folder ids of all uploads made for a track. */
export async function listUploadsOf(tx: Tx, trackId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct args #>> '{source,source_id}' as id from jobs
    where subject_kind = 'track' and subject_id = ${trackId} and type = 'download' and args #>> '{source,kind}' = 'upload'`.execute(
    tx,
  );
  return rows.map(({ id }) => id);
}

/** Selects uploads: those of a user, of a track, or of a track's earlier jobs that have ended. */
export type UploadsOf =
  | { readonly userId: number }
  | { readonly trackId: string }
  | { readonly trackId: string; readonly replacedBy: string };

/** Returns the folder ids of uploads that have not become audio of the library. */
export async function listUnpreparedUploads(tx: Tx, of: UploadsOf): Promise<string[]> {
  const owner =
    'userId' in of ? sql`user_id = ${of.userId}` : sql`subject_kind = 'track' and subject_id = ${of.trackId}`;
  const ended = 'replacedBy' in of ? sql`and finished_at is not null and id <> ${of.replacedBy}` : sql``;
  const { rows } = await sql<{ id: string }>`
    select distinct args #>> '{source,source_id}' as id from jobs
    where ${owner} ${ended} and type = 'download' and args #>> '{source,kind}' = 'upload'
      and not ${audioSourceExists(sql`(args #>> '{source,source_id}')::uuid`)}`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Returns the user's live track that came from an upload of these bytes, prepared or not, or undefined. Takes an
 * advisory lock until the transaction ends, so that two simultaneous uploads become one track.
 */
export async function findUploadedTrack(
  db: Db,
  userId: number,
  sha256: string,
): Promise<{ id: string } | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`upload ${userId} ${sha256}`}, 0))`.execute(db);
  return db
    .selectFrom('jobs')
    .select(sql<string>`jobs.subject_id`.as('id'))
    .where('jobs.user_id', '=', userId)
    .where('jobs.type', '=', 'download')
    .where('jobs.subject_kind', '=', 'track')
    .where(sql<boolean>`jobs.args #>> '{source,sha256}' = ${sha256}`)
    .where(liveOwnerOf(sql.ref('jobs.subject_id')), 'is not', null)
    .orderBy('subject_id')
    .limit(1)
    .executeTakeFirst();
}

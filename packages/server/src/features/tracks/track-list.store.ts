import type { TrackSort } from '@stem-studio/contract/endpoints/tracks';
import type { JobState } from '@stem-studio/contract/resources/job';
import type { JobType } from '@stem-studio/contract/states';
import type { SearchTerm } from '@stem-studio/contract/track-search';
import type { MixableSong } from '@stem-studio/dsp/mix/compatibility';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { runPrepared } from '../../platform/db/prepared.ts';
import { storedTexts } from '../../platform/db/stored-texts.ts';
import { findJobStates } from '../../platform/queue/job-states.store.ts';
import { trackCountOf } from '../quotas/index.ts';
import type { PresentableTrack } from './present-track.ts';
import { fitScore } from './track-fit.store.ts';
import { conditionsOfSearch, type TrackCondition } from './track-search.store.ts';

/** Filter of a list of tracks. */
export interface TrackFilter {
  readonly userId: number;
  readonly terms: readonly SearchTerm[];
  /** Time of the request, from which `added:` and `played:` are counted. */
  readonly now: Date;
  readonly key?: string | undefined;
  readonly bpmMin?: number | undefined;
  readonly bpmMax?: number | undefined;
  readonly tag?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Statement that returns the listed tracks as `track_id` with their `position`, which the order `position` follows. */
  readonly subset?: RawBuilder<unknown> | undefined;
}

/** Sort order of a list; `fit` is the song that the `fit` order compares with. */
export interface ListOrder {
  readonly sort: TrackSort;
  readonly fit: MixableSong;
}

/** Sort orders by indexed columns. */
type ColumnSort = Exclude<TrackSort, 'fit' | '-fit'>;

/** Offset and limit of a page. */
export interface ListPart {
  readonly offset: number;
  readonly limit: number;
}

/** A listed track, with the newest job of each kind. */
export interface ListedTrack {
  readonly row: PresentableTrack;
  readonly jobs: Partial<Record<JobType, JobState>>;
}

/** Offset up to which preceding tracks are read; beyond it they are skipped in the index alone. */
const deepOffset = 1000;

const sortColumns = {
  created_at: 'created_at',
  title: 'title_order',
  artist: 'artist_order',
  bpm: 'bpm',
  key: 'key_order',
  duration: 'duration_ms',
  genre: 'genre',
  year: 'year',
  rating: 'rating',
  play_count: 'play_count',
  last_played_at: 'last_played_at',
  album: 'album_order',
  loudness_lufs: 'loudness_lufs',
  separation_model: 'separation_model',
  position: 'position',
} as const;

/** Sort orders by columns that may be empty. */
const nullableFields = /^-?(bpm|year|last_played_at|loudness_lufs|separation_model)$/;

/**
 * Returns the sort order of a list, as indexed, or its exact reverse. Tracks without a value come last in ascending and
 * in descending order.
 *
 * @param positions relation with the positions in a subset
 */
function orderOf(sort: ColumnSort, isBackwards: boolean, positions = 't'): RawBuilder<unknown> {
  const isFalling = sort.startsWith('-');
  const field = (isFalling ? sort.slice(1) : sort) as keyof typeof sortColumns;
  const named = sql.ref(`${field === 'position' ? positions : 't'}.${sortColumns[field]}`);
  const column = field === 'genre' ? sql`lower(${named})` : named;
  const direction = sql.raw(isFalling === isBackwards ? 'asc' : 'desc');
  const nulls = sql.raw(nullableFields.test(sort) ? `nulls ${isBackwards ? 'first' : 'last'}` : '');
  return sql`${column} ${direction} ${nulls}, t.id ${direction}`;
}

function conditionsOf(filter: TrackFilter): TrackCondition[] {
  const conditions = conditionsOfSearch(filter.terms, filter.now);
  if (filter.key !== undefined) conditions.push(sql`key = ${filter.key}`);
  if (filter.bpmMin !== undefined) conditions.push(sql`bpm >= ${filter.bpmMin}`);
  if (filter.bpmMax !== undefined) conditions.push(sql`bpm <= ${filter.bpmMax}`);
  if (filter.ids !== undefined) conditions.push(sql`id = any(${[...filter.ids]}::uuid[])`);
  if (filter.tag !== undefined) conditions.push(sql`tags @> array[${filter.tag}::text]`);
  return conditions;
}

/** Tracks to select from as `t`, limited to a subset if there is one. */
function tracksIn({ subset }: TrackFilter): RawBuilder<unknown> {
  return subset ? sql`tracks t join (${subset}) listed on listed.track_id = t.id` : sql`tracks t`;
}

const ownLive = (userId: number) => sql`user_id = ${userId} and deleted_at is null`;

/**
 * Columns of a listed track. These are its own, those of its audio, and the ids of its newest jobs, one of each kind.
 */
const shownColumns = sql`
  t.id, t.user_id, t.source, t.catalog_id, t.title, t.artist, t.album, t.album_art_url, t.catalog_url, t.genre, t.isrc,
  t.explicit, t.duration_ms, t.bpm, t.key, t.tags, t.year, t.rating, t.comment, t.play_count, t.last_played_at,
  t.loudness_lufs, t.separation_model, t.stems_job_id, t.created_at, t.updated_at,
  s.codec, s.bitrate, s.sample_rate, s.channels, s.bytes, s.received_path, s.peaks_path, s.warnings,
  (select file_path from audio_renditions r where r.source_id = t.audio_source_id and r.quality = t.quality)
    as rendition_path,
  (select string_agg(id::text, ',') from (
    select distinct on (type) id from jobs where subject_kind = 'track' and subject_id = t.id
    order by type, created_at desc, id desc) newest)
    as job_ids`;

/** A row of a page. The columns of its audio are all null where there is none. */
type ShownRow = Omit<PresentableTrack, 'audio'> &
  NonNullable<PresentableTrack['audio']> & { readonly job_ids: string | null };

/** A row of a page with the count of the whole list. */
type CountedRow = ShownRow & { readonly total: number };

/** A page of a list. */
export interface TrackPage {
  readonly tracks: ListedTrack[];
  /** Tracks in the list; if more follow that were not counted, those up to the end of the page. */
  readonly totalCount: number;
  /** Whether tracks follow that were not counted; undefined if the whole list was counted. */
  readonly hasMore?: boolean;
}

async function toListed(db: Db, rows: readonly ShownRow[]): Promise<ListedTrack[]> {
  const idsOf = ({ job_ids }: ShownRow) => job_ids?.split(',') ?? [];
  const states = await findJobStates(db, rows.flatMap(idsOf));
  return rows.map((row) => {
    const jobs: Partial<Record<JobType, JobState>> = {};
    for (const id of idsOf(row)) {
      const one = states.get(id);
      if (one) jobs[one.type] = one.state;
    }
    const hasAudio = (row.codec as string | null) !== null;
    const audio = hasAudio
      ? { ...row, warnings: storedTexts.read(db, row.warnings, `of the audio of track ${row.id}`) ?? [] }
      : null;
    return { row: { ...row, audio }, jobs };
  });
}

/**
 * Returns a page of live tracks and the total count. Both come from one snapshot unless the page is beyond the last
 * track.
 */
export async function listTracks(
  db: Db,
  filter: TrackFilter,
  { sort, fit }: ListOrder,
  part: ListPart,
): Promise<TrackPage> {
  const conditions = conditionsOf(filter);
  const { rows } =
    sort === 'fit' || sort === '-fit'
      ? await byFit(filter, conditions, fitScore(fit), sort === '-fit', part).execute(db)
      : conditions.length > 0 || filter.subset
        ? await narrowed(filter, conditions, sort, part).execute(db)
        : part.offset === 0
          ? await runPrepared(db, nearTop(filter, sort, part))
          : part.offset < deepOffset
            ? await nearTop(filter, sort, part).execute(db)
            : await (await farDown(db, filter, sort, part)).execute(db);
  const totalCount = rows[0]?.total ?? (part.offset === 0 ? 0 : await countTracks(db, filter));
  return { tracks: await toListed(db, rows), totalCount };
}

/**
 * Returns a page of live tracks and counts no further than its end, unless the count of the list is stored. The search
 * ends with the page: in a list of 100,000 tracks, of which many match, it takes milliseconds.
 */
export async function listTracksUncounted(
  db: Db,
  filter: TrackFilter,
  order: ListOrder,
  part: ListPart,
): Promise<TrackPage> {
  const { offset, limit } = part;
  if (conditionsOf(filter).length === 0 && !filter.subset) return listTracks(db, filter, order, part);
  // One row more than the page shows whether the list ends.
  const chosen = idsIn(filter, order, { offset, limit: limit + 1 });
  const { rows } = await sql<ShownRow>`select ${shownColumns}
    from unnest(array(${chosen})) with ordinality page (id, rank)
    join tracks t on t.id = page.id ${withAudioSource} order by page.rank`.execute(db);
  if (rows.length === 0 && offset > 0)
    return { tracks: [], totalCount: await countTracks(db, filter), hasMore: false };
  const shown = rows.slice(0, limit);
  return {
    tracks: await toListed(db, shown),
    totalCount: offset + shown.length,
    hasMore: rows.length > limit,
  };
}

/** Returns the ids of a part of a list, which may be all of it. */
export async function listIds(
  db: Db,
  filter: TrackFilter,
  order: ListOrder,
  part: { readonly offset: number; readonly limit: number | null },
): Promise<string[]> {
  const { rows } = await idsIn(filter, order, part).execute(db);
  return rows.map(({ id }) => id);
}

function idsIn(
  filter: TrackFilter,
  { sort, fit }: ListOrder,
  { offset, limit }: { readonly offset: number; readonly limit: number | null },
): RawBuilder<{ id: string }> {
  const where = sql.join([ownLive(filter.userId), ...conditionsOf(filter)], sql` and `);
  const direction = sql.raw(sort === '-fit' ? 'asc' : 'desc');
  const order =
    sort === 'fit' || sort === '-fit'
      ? sql`${fitScore(fit)} ${direction}, id ${direction}`
      : orderOf(sort, false, 'listed');
  return sql<{ id: string }>`select t.id from ${tracksIn(filter)} where ${where}
    order by ${order} offset ${offset} limit ${limit}`;
}

async function countTracks(db: Db, filter: TrackFilter): Promise<number> {
  const conditions = conditionsOf(filter);
  const statement =
    conditions.length === 0 && !filter.subset
      ? sql<{ total: number }>`select ${trackCountOf(filter.userId)} as total`
      : sql<{ total: number }>`select count(*)::int as total from ${tracksIn(filter)}
          where ${sql.join([ownLive(filter.userId), ...conditions], sql` and `)}`;
  const { rows } = await statement.execute(db);
  return rows[0]?.total ?? 0;
}

const withAudioSource = sql`left join audio_sources s on s.id = t.audio_source_id`;

function nearTop({ userId }: TrackFilter, sort: ColumnSort, { offset, limit }: ListPart) {
  // Literals instead of parameters: the planner of a cached plan must know that they are small.
  const part = sql.raw(`offset ${Math.trunc(offset)} limit ${Math.trunc(limit)}`);
  return sql<CountedRow>`select ${shownColumns}, ${trackCountOf(userId)} as total from tracks t ${withAudioSource}
    where t.user_id = ${userId} and t.deleted_at is null order by ${orderOf(sort, false)} ${part}`;
}

/** Scans the index from the nearer end, and reads only the tracks of the page. */
async function farDown(db: Db, filter: TrackFilter, sort: ColumnSort, { offset, limit }: ListPart) {
  const { userId } = filter;
  const fromEnd = (await countTracks(db, filter)) - offset - limit;
  const isBackwards = fromEnd < offset;
  // The last page is shorter than the others.
  const [skip, take] = isBackwards ? [Math.max(0, fromEnd), limit + Math.min(0, fromEnd)] : [offset, limit];
  const chosen = sql`select t.id from tracks t where t.user_id = ${userId} and t.deleted_at is null
    order by ${orderOf(sort, isBackwards)} offset ${skip} limit ${Math.max(0, take)}`;
  return sql<CountedRow>`select ${shownColumns}, ${trackCountOf(userId)} as total from tracks t ${withAudioSource}
    where t.id = any (array(${chosen})) order by ${orderOf(sort, false)}`;
}

/** Finds the matching tracks once, for the count and for the page. */
function narrowed(
  filter: TrackFilter,
  conditions: readonly TrackCondition[],
  sort: ColumnSort,
  { offset, limit }: ListPart,
) {
  const column = sql.ref(sortColumns[sort.replace('-', '') as keyof typeof sortColumns]);
  const where = sql.join([ownLive(filter.userId), ...conditions], sql` and `);
  const order = orderOf(sort, false, 'page');
  // Positions belong to the subset, all other columns to the track.
  const inOrder = /^-?position$/.test(sort)
    ? sql`from page join tracks t on t.id = page.id ${withAudioSource} order by ${order}`
    : sql`from tracks t ${withAudioSource} where t.id = any (array(select id from page)) order by ${order}`;
  return sql<CountedRow>`
    with hits as materialized (select id, ${column} from ${tracksIn(filter)} where ${where}),
    page as (select t.* from hits t order by ${orderOf(sort, false)} offset ${offset} limit ${limit})
    select ${shownColumns}, (select count(*)::int from hits) as total ${inOrder}`;
}

/** Computes the score of every matching track, which is not indexed. */
function byFit(
  filter: TrackFilter,
  conditions: readonly TrackCondition[],
  score: RawBuilder<number>,
  isBackwards: boolean,
  { offset, limit }: ListPart,
) {
  const direction = sql.raw(isBackwards ? 'asc' : 'desc');
  const where = sql.join([ownLive(filter.userId), ...conditions], sql` and `);
  const count =
    conditions.length === 0 && !filter.subset
      ? trackCountOf(filter.userId)
      : sql`(select count(*)::int from ${tracksIn(filter)} where ${where})`;
  return sql<CountedRow>`
    with page as materialized (
      select id, ${score} as fit from ${tracksIn(filter)} where ${where}
      order by fit ${direction}, id ${direction} offset ${offset} limit ${limit}
    )
    select ${shownColumns}, ${count} as total from page p join tracks t on t.id = p.id ${withAudioSource}
    order by p.fit ${direction}, t.id ${direction}`;
}

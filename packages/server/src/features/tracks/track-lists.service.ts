import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { listTrackIds, listTracks as listTracksEndpoint } from '@stem-studio/contract/endpoints/tracks';
import { metaFor, type PageMeta } from '@stem-studio/contract/envelope';
import type { Track } from '@stem-studio/contract/resources/track';
import { parseTrackSearch } from '@stem-studio/contract/track-search';
import type { RawBuilder } from 'kysely';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { presentTrack } from './present-track.ts';
import {
  type ListOrder,
  listIds,
  listTracks,
  listTracksUncounted,
  type TrackFilter,
} from './track-list.store.ts';

type ListQuery = HandlerInput<typeof listTracksEndpoint>['query'];
/** Metadata of a page of tracks. */
type TrackPageMeta = PageMeta & { has_more?: boolean };
type IdsQuery = HandlerInput<typeof listTrackIds>['query'];
/** A page of the library or of a crate; its total count is exact by default. */
type PageQuery = Omit<ListQuery, 'crate' | 'total'> & Partial<Pick<ListQuery, 'total'>>;

/** Part of the library that a list is limited to; with neither field the whole library. */
export interface TrackSubset {
  /** Search that its tracks match. */
  readonly q?: string | undefined;
  /** Statement that returns its tracks as `track_id` with their `position`. */
  readonly positions?: RawBuilder<unknown> | undefined;
}

function filterOf(
  context: Context,
  viewer: Viewer,
  query: PageQuery | IdsQuery,
  subset: TrackSubset,
): TrackFilter {
  return {
    userId: viewer.id,
    // Parsed apart, because a quotation mark left open in one must not reach into the other.
    terms: [...parseTrackSearch(subset.q ?? ''), ...parseTrackSearch(query.q ?? '')],
    subset: subset.positions,
    now: context.clock.now(),
    key: query.key,
    bpmMin: query.bpm_min,
    bpmMax: query.bpm_max,
    tag: query.tag,
    ids: 'ids' in query ? query.ids : undefined,
  };
}

/**
 * Returns the order of a list. A smart crate has no positions: its own order is by the time that tracks were added.
 *
 * @throws `VALIDATION_ERROR` for the order of a crate outside of one
 */
function orderOf({ sort, fit_key, fit_bpm }: PageQuery | IdsQuery, subset: TrackSubset): ListOrder {
  const fit = { key: fit_key ?? '', bpm: fit_bpm ?? null };
  const hasPositions = subset.positions !== undefined;
  if (!hasPositions && (sort === 'position' || sort === '-position')) {
    if (subset.q === undefined) throw invalid({ sort: [`${sort} is the order of a crate`] });
    return { sort: sort === 'position' ? '-created_at' : 'created_at', fit };
  }
  return { sort: sort ?? (hasPositions ? 'position' : '-created_at'), fit };
}

/** Returns ids of the caller's tracks in the order of the list. */
export async function showTrackIds(
  context: Context,
  viewer: Viewer,
  query: IdsQuery,
  subset: TrackSubset = {},
): Promise<string[]> {
  const part = { offset: query.first, limit: query.count ?? null };
  return listIds(context.db, filterOf(context, viewer, query, subset), orderOf(query, subset), part);
}

/** Returns a page of the caller's tracks. */
export async function showTracks(
  context: Context,
  viewer: Viewer,
  query: PageQuery,
  subset: TrackSubset = {},
): Promise<{ data: Track[]; meta: TrackPageMeta }> {
  const page = { offset: (query.page - 1) * query.page_size, limit: query.page_size };
  const filter = filterOf(context, viewer, query, subset);
  const order = orderOf(query, subset);
  const list = query.total === 'page' ? listTracksUncounted : listTracks;
  const { tracks, totalCount, hasMore } = await list(context.db, filter, order, page);
  return {
    data: tracks.map(({ row, jobs }) => presentTrack(row, jobs)),
    meta: {
      ...metaFor(query.page, query.page_size, totalCount),
      ...(hasMore !== undefined && { has_more: hasMore }),
    },
  };
}

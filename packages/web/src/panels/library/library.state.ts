import type { TrackSort } from '@stem-studio/contract/endpoints/tracks';
import { type TrackView, tracksPerPage } from '../../client/queries.ts';

/** A column that the list can be ordered by. */
export type SortField = 'created_at' | 'title' | 'artist' | 'bpm' | 'key' | 'duration' | 'fit';

/** Which column orders a list, and whether downwards. */
export function readSort(sort: TrackSort): { field: SortField; isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  return { field: (isDescending ? sort.slice(1) : sort) as SortField, isDescending };
}

/**
 * The order after a press on a column's header: upwards, then downwards, then the newest first again.
 */
export function nextSort(sort: TrackSort, field: SortField): TrackSort {
  const now = readSort(sort);
  if (now.field !== field) return field;
  return now.isDescending ? '-created_at' : `-${field}`;
}

/** Where row `index` (from 0) stands: on which page (from 1), at which place of it. */
export function positionOfRow(index: number): { page: number; offset: number } {
  return { page: Math.floor(index / tracksPerPage) + 1, offset: index % tracksPerPage };
}

/** The pages (from 1) that hold rows `first` to `last`, both included. */
export function pagesOfRows(first: number, last: number): number[] {
  if (last < first) return [];
  const from = positionOfRow(first).page;
  return Array.from({ length: positionOfRow(last).page - from + 1 }, (_, i) => from + i);
}

/** The row that a key moves to from row `active` of `count`, a screen being `perScreen` rows; null for other keys. */
export function rowAfterKey(key: string, active: number, count: number, perScreen: number): number | null {
  if (count === 0) return null;
  const clamp = (row: number) => Math.min(count - 1, Math.max(0, row));
  switch (key) {
    case 'ArrowDown':
      return clamp(active + 1);
    case 'ArrowUp':
      return clamp(active - 1);
    case 'PageDown':
      return clamp(active + perScreen);
    case 'PageUp':
      return clamp(active - perScreen);
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Whether two views show the same list. */
export function isSameView(a: TrackView, b: TrackView): boolean {
  return a.q === b.q && a.sort === b.sort && a.fit?.key === b.fit?.key && a.fit?.bpm === b.fit?.bpm;
}

import type { TrackSort } from '@stem-studio/contract/endpoints/tracks';
import { type TrackView, tracksPerPage } from '../../client/queries.ts';

/** Field that the list can be sorted by. */
export type SortField = Exclude<TrackSort, `-${string}`>;

/** Splits a sort order into its field and direction. */
export function readSort(sort: TrackSort): { field: SortField; isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  return { field: (isDescending ? sort.slice(1) : sort) as SortField, isDescending };
}

/**
 * Returns the order after a press on a column header: ascending, then descending, then the initial one of the list.
 */
export function nextSort(sort: TrackSort, field: SortField, initial: TrackSort = '-created_at'): TrackSort {
  const now = readSort(sort);
  if (now.field !== field) return field;
  return now.isDescending ? initial : `-${field}`;
}

/** Returns the page (from 1) of row `index` (from 0) and its offset within the page. */
export function positionOfRow(index: number): { page: number; offset: number } {
  return { page: Math.floor(index / tracksPerPage) + 1, offset: index % tracksPerPage };
}

/** Returns the pages (from 1) of rows `first` to `last`, inclusive. */
export function pagesOfRows(first: number, last: number): number[] {
  if (last < first) return [];
  const from = positionOfRow(first).page;
  return Array.from({ length: positionOfRow(last).page - from + 1 }, (_, i) => from + i);
}

/** Rows that are drawn beyond each end of the screen. */
const OVERSCAN = 4;
/** The drawn part moves by so many rows at a time, so that slow scrolling does not redraw the list in every frame. */
const STEP = 4;

/**
 * Returns the first and the last row to draw, both inclusive; `last` is -1 for an empty list.
 *
 * @param topPx distance that the list is scrolled by
 * @param heightPx height of the part of the screen that shows rows
 */
export function drawnRows(
  topPx: number,
  heightPx: number,
  rowPx: number,
  count: number,
): { first: number; last: number } {
  const stepPx = STEP * rowPx;
  const first = Math.floor(topPx / stepPx) * STEP - OVERSCAN;
  const last = Math.ceil((topPx + heightPx) / stepPx) * STEP - 1 + OVERSCAN;
  return { first: Math.max(0, Math.min(first, count - 1)), last: Math.min(count - 1, last) };
}

/** Returns the row that a key moves to from row `active` of `count`, with `perScreen` rows on the screen; null for other keys. */
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

/** Whether two views are the same list. */
export function isSameView(a: TrackView, b: TrackView): boolean {
  if (a.crate !== b.crate || a.isRecent !== b.isRecent) return false;
  return a.q === b.q && a.sort === b.sort && a.fit?.key === b.fit?.key && a.fit?.bpm === b.fit?.bpm;
}

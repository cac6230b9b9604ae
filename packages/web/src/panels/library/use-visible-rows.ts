import type { Track } from '@stem-studio/contract/resources/track';
import { useQueries } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect } from 'react';
import { type TrackView, tracksQuery } from '../../client/queries.ts';
import { pagesOfRows, positionOfRow } from './library.state.ts';

/** Height of the column headers, which cover the top of the scrolled area, in pixels; the style sheet has the same. */
const HEADER_PX = 32;

/** A row to draw; `top` is its distance from the first row, in pixels. */
interface VisibleRow {
  readonly key: number | string | bigint;
  readonly index: number;
  readonly top: number;
}

/** Rows of the library around the part on the screen. */
export interface VisibleRows {
  readonly items: readonly VisibleRow[];
  /** Height of all rows, in pixels. */
  readonly totalPx: number;
  readonly isScrolling: boolean;
  /** The track of a row (from 0), or null while its page has not arrived. */
  readonly trackAt: (index: number) => Track | null;
  /** How many rows a Page key moves by. */
  readonly rowsPerScreen: () => number;
  readonly scrollTo: (index: number) => void;
}

/**
 * Draws only the rows on the screen and fetches only the pages around them; a new list begins at its top.
 *
 * @param scroller the element that scrolls
 * @param count rows of the whole list
 * @param rowPx height of a row, in pixels
 */
export function useVisibleRows(
  scroller: RefObject<HTMLDivElement | null>,
  view: TrackView,
  count: number,
  rowPx: number,
): VisibleRows {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    scrollMargin: HEADER_PX,
    scrollPaddingStart: HEADER_PX,
    // Draws in the next frame instead of inside the scroll event, which would hold up a fast wheel.
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [rowPx, virtual]);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [view, scroller]);
  const items = virtual.getVirtualItems();
  const pages = pagesOfRows(items[0]?.index ?? 0, items.at(-1)?.index ?? -1);
  const fetched = useQueries({ queries: pages.map((page) => tracksQuery(view, page)) });
  return {
    items: items.map(({ key, index, start }) => ({ key, index, top: start - HEADER_PX })),
    totalPx: virtual.getTotalSize(),
    isScrolling: virtual.isScrolling,
    trackAt(index) {
      const { page, offset } = positionOfRow(index);
      return fetched[pages.indexOf(page)]?.data?.data[offset] ?? null;
    },
    rowsPerScreen: () =>
      Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEADER_PX) / rowPx) - 1),
    scrollTo: (index) => virtual.scrollToIndex(index),
  };
}

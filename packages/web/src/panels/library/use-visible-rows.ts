import { Scope } from '@stem-studio/audio/base/scope';
import type { Track } from '@stem-studio/contract/resources/track';
import { useQueries, useQueryClient } from '@tanstack/react-query';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type TrackView, tracksQuery } from '../../client/queries.ts';
import { drawnRows, pagesOfRows, positionOfRow } from './library.state.ts';
import { listMotion } from './list-motion.ts';

/** Height of the column headers, which cover the top of the scrolled area, in pixels; the style sheet has the same. */
const HEADER_PX = 32;
/** Height of what is above the rows of a wide page, in pixels: the height of the list before it is measured. */
const ABOVE_LIST_PX = 150;
/** Time without a scroll event after which the list rests, in ms. */
const REST_MS = 120;
/** Rows that pass in one frame above which new rows show only text until the list is slower. */
const FAST_ROWS_PER_FRAME = 3;
/** Rows that pass in one frame above which no page is fetched: the scroll bar is being dragged past them. */
const MOST_ROWS_PER_FRAME = 40;

/** Rows of the library around the part on the screen. */
export interface VisibleRows {
  /** Indices of the rows to draw. */
  readonly indices: readonly number[];
  /** Height of all rows, in pixels. */
  readonly totalPx: number;
  /** The track of a row (from 0), on the screen or not; null while its page has not arrived. */
  readonly trackAt: (index: number) => Track | null;
  /** How many rows a Page key moves by. */
  readonly rowsPerScreen: () => number;
  readonly scrollTo: (index: number) => void;
}

/** The part of the list on the screen. */
interface ScreenPart {
  /** Distance that the list is scrolled by, in pixels. */
  readonly topPx: number;
  readonly heightPx: number;
  /** Whether its pages are fetched. */
  readonly isFetched: boolean;
}

/** Whether two parts show the same rows of any list. */
function isSamePart(one: ScreenPart, other: ScreenPart, rowPx: number): boolean {
  const [a, b] = [one, other].map(({ topPx, heightPx }) => drawnRows(topPx, heightPx, rowPx, Infinity));
  return a?.first === b?.first && a?.last === b?.last && one.isFetched === other.isFetched;
}

/**
 * Draws only the rows on the screen and fetches only the pages around them; a new list begins at its top. All rows have
 * the same height, so the drawn ones follow from the scrolled distance alone.
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
  const client = useQueryClient();
  // The first rows are drawn before the size of the list is measured, which would need a layout of its own.
  const [part, setPart] = useState<ScreenPart>({
    topPx: 0,
    heightPx: innerHeight - ABOVE_LIST_PX,
    isFetched: true,
  });
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const scope = new Scope();
    let cancelRest: (() => void) | null = null;
    let { topPx } = part;
    const show = (change: Partial<ScreenPart>) =>
      setPart((before) => {
        const next = { ...before, ...change };
        return isSamePart(before, next, rowPx) ? before : next;
      });
    scope.listen(
      element,
      'scroll',
      () => {
        const movedPx = Math.abs(element.scrollTop - topPx);
        topPx = element.scrollTop;
        if (movedPx === 0) return;
        listMotion.setState({ isMoving: true, isFast: movedPx > FAST_ROWS_PER_FRAME * rowPx });
        show({ topPx, isFetched: movedPx <= MOST_ROWS_PER_FRAME * rowPx });
        cancelRest?.();
        cancelRest = scope.after(REST_MS, () => {
          listMotion.setState({ isMoving: false, isFast: false });
          show({ isFetched: true });
        });
      },
      { passive: true },
    );
    scope.onResize(element, () => show({ heightPx: element.clientHeight - HEADER_PX }));
    scope.own(() => listMotion.setState({ isMoving: false, isFast: false }));
    return () => scope.dispose();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `part` only initialises the position
  }, [scroller, rowPx]);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && scroller.current) scroller.current.scrollTop = 0;
    isFirst.current = false;
  }, [view, scroller]);

  const { first, last } = drawnRows(part.topPx, part.heightPx, rowPx, count);
  const pages = pagesOfRows(first, last);
  const [firstPage = 1, lastPage = 0] = [pages[0], pages.at(-1)];
  const { isFetched } = part;
  const queries = useMemo(
    () =>
      Array.from({ length: lastPage - firstPage + 1 }, (_, at) => ({
        ...tracksQuery(view, firstPage + at),
        enabled: isFetched,
      })),
    [view, firstPage, lastPage, isFetched],
  );
  const fetched = useQueries({ queries });
  return {
    indices: useMemo(
      () => Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at),
      [first, last],
    ),
    totalPx: count * rowPx,
    trackAt(index) {
      const { page, offset } = positionOfRow(index);
      const shown = fetched[page - firstPage] ?? {
        data: client.getQueryData(tracksQuery(view, page).queryKey),
      };
      return shown.data?.data[offset] ?? null;
    },
    rowsPerScreen: () =>
      Math.max(1, Math.floor(((scroller.current?.clientHeight ?? 0) - HEADER_PX) / rowPx) - 1),
    scrollTo: useCallback(
      (index) => {
        const element = scroller.current;
        if (!element) return;
        const highest = (index + 1) * rowPx + HEADER_PX - element.clientHeight;
        if (element.scrollTop > index * rowPx) element.scrollTop = index * rowPx;
        else if (element.scrollTop < highest) element.scrollTop = highest;
      },
      [scroller, rowPx],
    ),
  };
}

import type { Track } from '@stem-studio/contract/resources/track';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { countText } from '../../base/format.ts';
import { wordsOf } from '../../client/api-error.ts';
import { type TrackView, tracksQuery } from '../../client/queries.ts';
import { decksPlaying, type HoldingDeck } from '../../state/deck-holdings.state.ts';
import { hasDecks, wishLoad } from '../../state/load-request.state.ts';
import {
  hasReference,
  isComparable,
  pickReference,
  references,
  sortByFit,
} from '../../state/reference.state.ts';
import { goTo, place } from '../../state/route.state.ts';
import { useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useStore } from '../../ui/use-store.ts';
import { FirstVisit } from './first-visit.tsx';
import { isSameView, nextSort, pagesOfRows, placeOfRow, rowAfterKey } from './library.state.ts';
import { LibraryHeader } from './library-header.tsx';
import styles from './library-panel.module.css';
import { StorageNotice } from './storage-notice.tsx';
import { SkeletonRow, TrackRow } from './track-row.tsx';
import { useRestedFit } from './use-rested-fit.ts';

const FitBar = lazy(() => import('./fit-bar.tsx').then((m) => ({ default: m.FitBar })));
const SearchLine = lazy(() => import('./search-line.tsx').then((m) => ({ default: m.SearchLine })));
const RowMenu = lazy(() => import('./row-menu.tsx').then((m) => ({ default: m.RowMenu })));
const DeleteDialog = lazy(() => import('./delete-dialog.tsx').then((m) => ({ default: m.DeleteDialog })));
const EditTrackDialog = lazy(() =>
  import('./edit-track-dialog.tsx').then((m) => ({ default: m.EditTrackDialog })),
);

/** Heights of a row and of a phone's card, in pixels; the style sheet has the same. */
const ROW_PX = 56;
const CARD_PX = 104;
/** Rows drawn while nothing is known yet. */
const GHOSTS = 14;

/**
 * The library: every track the user has, as many as a hundred thousand, of which only the rows in view exist and only
 * the pages around them are fetched.
 */
export function LibraryPanel({ search, onPlay }: { search: string; onPlay: (trackId: string) => void }) {
  const [sort, setSort] = useState<TrackView['sort']>('-created_at');
  const isCompared = useStore(references, hasReference);
  const fit = useRestedFit();
  const asked = useMemo<TrackView>(() => {
    if (fit) return { q: search, sort: 'fit', fit: { key: fit.key, bpm: fit.bpm } };
    return { q: search, sort };
  }, [search, sort, fit]);
  // What is drawn stays the old list until the first page of the new one is there.
  const [view, setView] = useState(asked);
  const head = useQuery(tracksQuery(asked, 1));
  if (!isSameView(view, asked) && head.data) setView(asked);
  const shownHead = useQuery(tracksQuery(view, 1));
  const count = shownHead.data?.meta.total_count ?? 0;

  const rowPx = useIsNarrow() ? CARD_PX : ROW_PX;
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    // Drawn with the next picture rather than inside the scroll event: a fast wheel is not held up.
    useFlushSync: false,
  });
  useEffect(() => virtual.measure(), [rowPx, virtual]);
  useEffect(() => {
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [view]);

  const items = virtual.getVirtualItems();
  const pages = pagesOfRows(items[0]?.index ?? 0, items.at(-1)?.index ?? -1);
  const fetched = useQueries({ queries: pages.map((page) => tracksQuery(view, page)) });
  const trackAt = (index: number): Track | null => {
    const { page, offset } = placeOfRow(index);
    return fetched[pages.indexOf(page)]?.data?.data[offset] ?? null;
  };

  const openTrack = useStore(place, (state) => state.track);
  const actions = useTrackActions();
  const [editing, setEditing] = useState<Track | null>(null);
  const [deleting, setDeleting] = useState<{ track: Track; decks: readonly HoldingDeck[] } | null>(null);
  const remove = (track: Track) => {
    const decks = decksPlaying(track.id);
    if (decks.length > 0) setDeleting({ track, decks });
    else void actions.remove(track);
  };
  const [menu, setMenu] = useState<{ track: Track; anchor: Element } | null>(null);
  const openMenu = useCallback((track: Track, anchor: Element) => setMenu({ track, anchor }), []);
  const [active, setActive] = useState(0);
  const wantsFocus = useRef(false);
  const activeRow = Math.min(active, Math.max(0, count - 1));

  const focusRow = useCallback((row: HTMLElement | null) => {
    if (!row || !wantsFocus.current) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLElement && event.target.closest('button, input, a')) return;
    const track = trackAt(activeRow);
    const deck = event.key === 'ArrowLeft' ? 'a' : event.key === 'ArrowRight' ? 'b' : null;
    if (hasDecks && track?.audio && deck && event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      wishLoad(deck, track);
      return;
    }
    const perScreen = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1);
    const next = rowAfterKey(event.key, activeRow, count, perScreen);
    if (next !== null) {
      event.preventDefault();
      wantsFocus.current = true;
      setActive(next);
      virtual.scrollToIndex(next);
      return;
    }
    if (!track || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Enter') goTo({ track: track.id });
    else if (event.key === ' ') onPlay(track.id);
    else if (event.key === 'Delete') remove(track);
    else if (event.key === 'e' || event.key === 'E') setEditing(track);
    else if ((event.key === 'f' || event.key === 'F') && isComparable(track)) pickReference(track);
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey))
      openMenu(track, event.target as Element);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  if (head.isError && !shownHead.data) {
    return (
      <Notice
        icon="warning"
        title="The library could not be loaded"
        isError
        actions={<Button onClick={() => void head.refetch()}>Try again</Button>}
      >
        {wordsOf(head.error)}
      </Notice>
    );
  }
  const isEmpty = shownHead.isSuccess && count === 0;
  if (isEmpty && view.q === '') return <FirstVisit />;
  const searchLine = view.q !== '' && (
    <div className={styles['said']}>
      <Suspense fallback={null}>
        <SearchLine search={view.q} count={count} />
      </Suspense>
    </div>
  );
  if (isEmpty) {
    return (
      <section className={styles['panel']} aria-label="Library">
        {searchLine}
        <Notice icon="search" title={`Nothing matches “${view.q}”`}>
          Words are looked for in titles, artists, albums and tags. A link to a new song goes into the field
          above.
        </Notice>
      </section>
    );
  }
  return (
    <section className={styles['panel']} aria-label="Library">
      <p className="visually-hidden" role="status">
        {shownHead.isSuccess ? countText(count, 'track') : 'Loading tracks'}
      </p>
      <StorageNotice actions={actions} />
      {isCompared && (
        <div className={styles['compared']}>
          <Suspense fallback={null}>
            <FitBar />
          </Suspense>
        </div>
      )}
      {searchLine}
      <div
        className={styles['grid']}
        role="grid"
        aria-label="Tracks"
        aria-rowcount={count + 1}
        aria-busy={!isSameView(view, asked)}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <LibraryHeader
          sort={fit ? 'fit' : sort}
          onSort={(field) => {
            sortByFit(null);
            setSort(fit ? field : nextSort(sort, field));
          }}
        />
        <div ref={scroller} className={styles['scroller']} role="presentation">
          <div
            className={styles['rows']}
            role="rowgroup"
            style={{ height: shownHead.isPending ? GHOSTS * rowPx : virtual.getTotalSize() }}
          >
            {shownHead.isPending &&
              Array.from({ length: GHOSTS }, (_, i) => <SkeletonRow key={`skeleton-${i}`} top={i * rowPx} />)}
            {items.map((item) => {
              const track = trackAt(item.index);
              if (!track) return <SkeletonRow key={item.key} top={item.start} />;
              return (
                <TrackRow
                  key={item.key}
                  ref={item.index === activeRow ? focusRow : undefined}
                  track={track}
                  index={item.index}
                  top={item.start}
                  isActive={item.index === activeRow}
                  isOpen={track.id === openTrack}
                  isScrolling={virtual.isScrolling}
                  actions={actions}
                  onActivate={setActive}
                  onMenu={openMenu}
                  onPlay={onPlay}
                />
              );
            })}
          </div>
        </div>
      </div>
      {menu && (
        <LazyPart name="The menu" look="popup" onClose={() => setMenu(null)}>
          <RowMenu
            track={menu.track}
            anchor={menu.anchor}
            actions={actions}
            onDelete={remove}
            onEdit={setEditing}
            onOpen={(track) => goTo({ track: track.id })}
            onClose={() => setMenu(null)}
          />
        </LazyPart>
      )}
      {deleting && (
        <LazyPart name="The question" look="popup" onClose={() => setDeleting(null)}>
          <DeleteDialog
            {...deleting}
            onAnswer={(isWanted) => {
              setDeleting(null);
              if (isWanted) void actions.remove(deleting.track);
            }}
          />
        </LazyPart>
      )}
      {editing && (
        <LazyPart name="The form" look="popup" onClose={() => setEditing(null)}>
          <EditTrackDialog track={editing} onClose={() => setEditing(null)} />
        </LazyPart>
      )}
    </section>
  );
}

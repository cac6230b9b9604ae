import { useRef } from 'react';
import { route } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useStore } from '../../ui/use-store.ts';
import { LibraryHeader } from './library-header.tsx';
import styles from './library-panel.module.css';
import { SkeletonRow, TrackRow } from './track-row.tsx';
import { useActiveRow } from './use-active-row.ts';
import type { LibraryList } from './use-library-list.ts';
import type { RowDialogs } from './use-row-dialogs.ts';
import { useVisibleRows } from './use-visible-rows.ts';

/** Heights of a row and of a phone's card, in pixels; the style sheet has the same. */
const ROW_PX = 56;
const CARD_PX = 104;
/** Placeholder rows while the first page loads. */
const PLACEHOLDER_ROWS = 14;

/** The tracks of the library as a grid that the keyboard moves through, under its column headers. */
export function TrackGrid({
  list,
  actions,
  dialogs,
  onPlay,
}: {
  list: LibraryList;
  actions: TrackActions;
  dialogs: RowDialogs;
  onPlay: (trackId: string) => void;
}) {
  const rowPx = useIsNarrow() ? CARD_PX : ROW_PX;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVisibleRows(scroller, list.view, list.count, rowPx);
  const active = useActiveRow(rows, list.count, dialogs, onPlay);
  const openTrack = useStore(route, (state) => state.track);
  const isLoading = list.status === 'loading';
  return (
    <div
      className={styles['grid']}
      role="grid"
      aria-label="Tracks"
      aria-rowcount={list.count + 1}
      aria-busy={list.isChanging}
      tabIndex={-1}
      onKeyDown={active.onKeyDown}
    >
      <LibraryHeader sort={list.sort} onSort={list.sortBy} />
      <div ref={scroller} className={styles['scroller']} role="presentation">
        <div
          className={styles['rows']}
          role="rowgroup"
          style={{ height: isLoading ? PLACEHOLDER_ROWS * rowPx : rows.totalPx }}
        >
          {isLoading &&
            Array.from({ length: PLACEHOLDER_ROWS }, (_, i) => (
              <SkeletonRow key={`skeleton-${i}`} top={i * rowPx} />
            ))}
          {rows.items.map(({ key, index, start }) => {
            const track = rows.trackAt(index);
            if (!track) return <SkeletonRow key={key} top={start} />;
            return (
              <TrackRow
                key={key}
                ref={index === active.index ? active.focus : undefined}
                track={track}
                index={index}
                top={start}
                isActive={index === active.index}
                isOpen={track.id === openTrack}
                isScrolling={rows.isScrolling}
                actions={actions}
                onActivate={active.activate}
                onMenu={dialogs.openMenu}
                onPlay={onPlay}
              />
            );
          })}
        </div>
      </div>
    </div>
  );
}

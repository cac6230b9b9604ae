import type { Track } from '@stem-studio/contract/resources/track';
import { type CSSProperties, useCallback, useMemo, useRef } from 'react';
import { useBatchActions } from '../../state/batch-actions.ts';
import { libraryColumns } from '../../state/library-columns.state.ts';
import { played } from '../../state/played.state.ts';
import { startPreview, togglePreview } from '../../state/preview.state.ts';
import { hasReference, references } from '../../state/reference.state.ts';
import { route } from '../../state/route.state.ts';
import { selection } from '../../state/selection.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { useIsNarrow, useIsTouch } from '../../ui/use-is-narrow.ts';
import { useStore } from '../../ui/use-store.ts';
import { minWidthOf, templateOf } from './columns.ts';
import { LibraryHeader } from './library-header.tsx';
import styles from './library-panel.module.css';
import { type RowHandlers, TrackRow } from './track-row.tsx';
import { useActiveRow } from './use-active-row.ts';
import { useColumns } from './use-columns.ts';
import type { LibraryList } from './use-library-list.ts';
import type { RowDialogs } from './use-row-dialogs.ts';
import { useRowDrop } from './use-row-drop.ts';
import { useVisibleRows } from './use-visible-rows.ts';

/** Heights of a row by density and of a phone's card, in pixels; the style sheet has the same. */
const ROW_PX = { comfortable: 40, compact: 36, dense: 28 } as const;
const CARD_PX = 104;
/** Placeholder rows while the first page loads. */
const PLACEHOLDER_ROWS = 20;

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
  const isNarrow = useIsNarrow();
  const chosen = useStore(libraryColumns, (layout) => layout.density);
  const isBelowDecks = useStore(route, ({ tab }) => tab === 'dj');
  const isTouch = useIsTouch();
  // Below the decks, every row counts.
  const density = isBelowDecks ? (isTouch ? 'compact' : 'dense') : chosen;
  const selected = useStore(selection, ({ ids }) => ids);
  const playedIds = useStore(played, ({ ids }) => ids);
  const isCompared = useStore(references, hasReference);
  const openTrack = useStore(route, (state) => state.track);
  const batch = useBatchActions();
  const rowPx = isNarrow ? CARD_PX : ROW_PX[density];
  const scroller = useRef<HTMLDivElement>(null);
  const columns = useColumns(scroller);
  const rows = useVisibleRows(scroller, list.view, list.count, rowPx);
  const { view } = list;
  const play = useCallback(
    (track: Track, index: number) => {
      // Beside the decks, a track is played on a deck.
      if (route.getState().tab === 'dj') onPlay(track.id);
      else if (track.audio) togglePreview(track, view, index);
    },
    [onPlay, view],
  );
  const drop = useRowDrop(view, rowPx, list.count);
  const active = useActiveRow(rows, list, dialogs, play, (tracks, stars) => void batch.rate(tracks, stars));
  const { activate, pick } = active;
  // The active row is drawn wherever it is, so that it keeps the keyboard focus.
  const isActiveDrawn = list.count === 0 || rows.indices.includes(active.index);
  const drawn = isActiveDrawn ? rows.indices : [active.index, ...rows.indices];
  const tracks = drawn.map(rows.trackAt);
  const { openMenu } = dialogs;
  const handlers = useMemo<RowHandlers>(
    () => ({
      onActivate: activate,
      onPick: pick,
      onMenu: openMenu,
      onOpen: onPlay,
      onPlay: play,
      onPreview: (track, index, from) => {
        if (track.audio) startPreview(track, view, index, from);
      },
      onRate: (track, stars) => void batch.rate([track], stars),
    }),
    [activate, pick, openMenu, onPlay, play, view, batch],
  );
  const template = isNarrow
    ? undefined
    : ({ '--columns': templateOf(columns), '--row-min': `${minWidthOf(columns)}px` } as CSSProperties);
  const isLoading = list.status === 'loading';
  return (
    <div
      className={styles['grid']}
      role="grid"
      aria-label="Tracks"
      aria-multiselectable="true"
      aria-rowcount={list.count + 1}
      aria-busy={list.isChanging}
      data-density={density}
      tabIndex={-1}
      style={template}
      onKeyDown={active.onKeyDown}
    >
      <div ref={scroller} className={styles['scroller']} role="presentation">
        <LibraryHeader columns={columns} sort={list.sort} onSort={list.sortBy} />
        <div
          className={styles['rows']}
          role="rowgroup"
          data-loading={isLoading || tracks.includes(null)}
          {...drop.handlers}
          style={{ height: isLoading ? PLACEHOLDER_ROWS * rowPx : rows.totalPx }}
        >
          {drop.gap !== null && <div className={styles['gap']} style={{ top: drop.gap * rowPx - 1 }} />}
          {drawn.map((index, at) => {
            const track = tracks[at];
            const top = index * rowPx;
            // Rows that are loading are drawn by the style sheet.
            if (!track) return null;
            return (
              <TrackRow
                key={index}
                ref={index === active.index ? active.focus : undefined}
                track={track}
                index={index}
                top={top}
                columns={columns}
                isActive={index === active.index}
                isOpen={track.id === openTrack}
                isSelected={selected.has(track.id)}
                isPlayed={playedIds.has(track.id)}
                isCompared={isCompared}
                actions={actions}
                handlers={handlers}
              />
            );
          })}
        </div>
        {selected.size > 0 && <div className={styles['end']} />}
      </div>
    </div>
  );
}

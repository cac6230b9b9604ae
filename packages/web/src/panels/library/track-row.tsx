import type { Track } from '@stem-studio/contract/resources/track';
import { type MouseEvent, memo, type Ref, useEffect, useState } from 'react';
import { route } from '../../state/route.state.ts';
import { targetsOf } from '../../state/selection.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { IconButton } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { startTrackDrag } from '../../ui/track-drag.ts';
import type { Column } from './columns.ts';
import styles from './library-panel.module.css';
import { listMotion, whenListSlows } from './list-motion.ts';
import { isText, RowCell } from './row-cells.tsx';
import type { MenuAnchor } from './use-row-dialogs.ts';

/** Handlers of all rows; the object stays the same, so that rows do not rerender. */
export interface RowHandlers {
  readonly onActivate: (index: number) => void;
  /** A click on the row, not on one of its buttons. */
  readonly onPick: (event: MouseEvent, index: number, track: Track) => void;
  readonly onMenu: (track: Track, anchor: MenuAnchor) => void;
  /** Opens the track and plays it, or loads it on a deck. */
  readonly onOpen: (trackId: string) => void;
  /** Plays the track in the mini player, or loads it on a deck. */
  readonly onPlay: (track: Track, index: number) => void;
  /** Plays the track in the mini player from a part of its length, 0 to 1. */
  readonly onPreview: (track: Track, index: number, from: number) => void;
  readonly onRate: (track: Track, stars: number) => void;
}

interface TrackRowProps {
  ref: Ref<HTMLDivElement> | undefined;
  track: Track;
  index: number;
  top: number;
  columns: readonly Column[];
  isActive: boolean;
  isOpen: boolean;
  isSelected: boolean;
  /** Whether the track was played in this login session. */
  isPlayed: boolean;
  /** Whether there is a reference track to compare with. */
  isCompared: boolean;
  actions: TrackActions;
  handlers: RowHandlers;
}

/** One track of the library; a card on a phone. Rerenders only when its props change. */
export const TrackRow = memo(function TrackRow(props: TrackRowProps) {
  const { ref, track, index, top, columns, isActive, isOpen, isSelected, isPlayed, isCompared } = props;
  const { actions, handlers } = props;
  const isBrief = useIsBrief();
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid handles the keys of its rows
    <div
      ref={ref}
      className={styles['row']}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      aria-current={isOpen ? 'true' : undefined}
      data-compared={isCompared}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      draggable={track.audio !== null}
      onDragStart={(event) => startTrackDrag(event, targetsOf(track))}
      onFocus={() => handlers.onActivate(index)}
      onDoubleClick={(event) => {
        if (!isOnButton(event)) handlers.onOpen(track.id);
      }}
      onClick={(event) => {
        const from = previewPartOf(event);
        if (from !== null && track.audio) handlers.onPreview(track, index, from);
        else if (!isOnButton(event)) handlers.onPick(event, index, track);
      }}
      onContextMenu={(event) => {
        // With Shift the browser's own menu opens, for instance to copy text.
        if (event.shiftKey) return;
        event.preventDefault();
        handlers.onActivate(index);
        handlers.onMenu(track, { x: event.clientX, y: event.clientY });
      }}
    >
      <div role="gridcell" data-column="cover">
        <button
          type="button"
          className={styles['play']}
          tabIndex={-1}
          aria-label={`Play ${track.title}`}
          disabled={!track.audio}
          onClick={() => handlers.onPlay(track, index)}
        >
          {!isBrief && <Cover url={track.album_art_url} />}
        </button>
      </div>
      {columns.map(({ id }) =>
        isBrief && !isText(id) ? (
          // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- empty for a fraction of a second
          <div key={id} role="gridcell" data-column={id} />
        ) : (
          <RowCell
            key={id}
            id={id}
            track={track}
            isPlayed={isPlayed}
            isCompared={isCompared}
            actions={actions}
            onRate={handlers.onRate}
          />
        ),
      )}
      <div role="gridcell" data-column="actions">
        {!isBrief && (
          <IconButton
            small
            icon="more"
            tabIndex={-1}
            label={`Actions for ${track.title}`}
            aria-haspopup="menu"
            onClick={(event) => handlers.onMenu(track, event.currentTarget)}
          />
        )}
      </div>
    </div>
  );
});

/** Whether a row shows only text: it appeared while the list was fast, and is completed when it is slower. */
function useIsBrief(): boolean {
  const [isBrief, setIsBrief] = useState(() => listMotion.getState().isFast);
  useEffect(() => (isBrief ? whenListSlows(() => setIsBrief(false)) : undefined), [isBrief]);
  return isBrief;
}

function isOnButton(event: MouseEvent): boolean {
  return (event.target as Element).closest('button, a') !== null;
}

/** Returns the part of the length, 0 to 1, that a click without a modifier in a row's waveform points at, or null. */
function previewPartOf(event: MouseEvent): number | null {
  if (event.shiftKey || event.ctrlKey || event.metaKey || route.getState().tab === 'dj') return null;
  const wave = (event.target as Element).closest('[data-column="wave"]')?.firstElementChild;
  if (!wave) return null;
  const { left, width } = wave.getBoundingClientRect();
  return Math.min(1, Math.max(0, (event.clientX - left) / width));
}

import type { Track } from '@stem-studio/contract/resources/track';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type MouseEvent, useCallback, useRef, useState } from 'react';
import { isInOwnOrder, moveInCrate, removeFromCrate, useListCrate } from '../../state/crate-actions.ts';
import { requestLoad } from '../../state/load-request.state.ts';
import { pickReference } from '../../state/reference.state.ts';
import { goTo, route } from '../../state/route.state.ts';
import { clearSelection, selection, targetsOf } from '../../state/selection.state.ts';
import { rowAfterKey } from './library.state.ts';
import { rowActionOf, selectionActionOf } from './row-keys.ts';
import type { LibraryList } from './use-library-list.ts';
import type { RowDialogs } from './use-row-dialogs.ts';
import { useRowSelection } from './use-row-selection.ts';
import type { VisibleRows } from './use-visible-rows.ts';

/** The row that the keyboard acts on, and the selection of rows. */
export interface ActiveRow {
  /** Index of the row, from 0. */
  readonly index: number;
  readonly activate: (index: number) => void;
  /** Opens the track of a clicked row, or changes the selection with Ctrl, ⌘ or Shift. */
  readonly pick: (event: MouseEvent, index: number, track: Track) => void;
  /** Focuses the row's element when the keyboard moved to it; for the row's `ref`. */
  readonly focus: (row: HTMLElement | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Moves through the rows and selects them by keyboard and pointer, and performs the keys of the active row's track. */
export function useActiveRow(
  rows: VisibleRows,
  list: LibraryList,
  dialogs: RowDialogs,
  onPlay: (track: Track, index: number) => void,
  onRate: (tracks: readonly Pick<Track, 'id' | 'title'>[], stars: number) => void,
): ActiveRow {
  const { view, count } = list;
  const crateId = useListCrate(view);
  const canMove = isInOwnOrder(view) && crateId !== null;
  const [active, activate] = useState(0);
  const wantsFocus = useRef(false);
  const { anchorAt, toggle, extendTo, selectAll } = useRowSelection(view, count);
  const index = Math.min(active, Math.max(0, count - 1));
  const focus = useCallback((row: HTMLElement | null) => {
    if (!row || !wantsFocus.current) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  }, []);

  const client = useQueryClient();
  const perform = (event: KeyboardEvent): boolean => {
    const track = rows.trackAt(index);
    if (track && crateId !== null && !event.shiftKey && event.key === 'Delete') {
      void removeFromCrate(client, crateId, targetsOf(track));
      return true;
    }
    if (track && canMove && event.altKey && /^Arrow(Up|Down)$/.test(event.key)) {
      const ids = targetsOf(track).map(({ id }) => id);
      const gap = event.key === 'ArrowUp' ? index - 1 : index + 2;
      void moveInCrate(client, crateId ?? '', ids, gap);
      activate(Math.min(count - 1, Math.max(0, event.key === 'ArrowUp' ? index - 1 : index + 1)));
      return true;
    }
    const action = track && rowActionOf(event, track);
    if (!track || !action) return false;
    switch (action.do) {
      case 'load':
        requestLoad(action.deck, track);
        break;
      case 'open':
        goTo({ track: track.id });
        break;
      case 'play':
        onPlay(track, index);
        break;
      case 'delete':
        dialogs.remove(targetsOf(track));
        break;
      case 'edit':
        dialogs.edit(targetsOf(track));
        break;
      case 'compare':
        pickReference(track);
        break;
      case 'rate':
        // On the decks, digits are hot cues.
        if (route.getState().tab === 'dj') return false;
        onRate(targetsOf(track), action.stars);
        break;
      case 'menu':
        dialogs.openMenu(track, event.target as Element);
        break;
    }
    return true;
  };

  /** Changes the selection by a key. Returns whether the key did so; `next` is the row that it moves to. */
  const select = (event: KeyboardEvent, next: number | null): boolean => {
    const change = selectionActionOf(event, selection.getState().ids.size > 0);
    const track = rows.trackAt(index);
    if (change === 'all') selectAll();
    else if (change === 'clear') clearSelection();
    else if (change === 'toggle' && track) toggle(index, track);
    else if (change === 'extend' && next !== null) {
      if (selection.getState().ids.size === 0) anchorAt(index);
      extendTo(next);
      return false;
    } else return false;
    return true;
  };

  return {
    index,
    activate,
    focus,
    pick: useCallback(
      (event, row, track) => {
        activate(row);
        if (event.shiftKey) extendTo(row, event.ctrlKey || event.metaKey);
        else if (event.ctrlKey || event.metaKey) toggle(row, track);
        else {
          anchorAt(row);
          clearSelection();
          goTo({ track: track.id });
        }
      },
      [anchorAt, extendTo, toggle],
    ),
    onKeyDown(event) {
      if (event.target instanceof HTMLElement && event.target.closest('button, input, a')) return;
      const next = event.altKey ? null : rowAfterKey(event.key, index, count, rows.rowsPerScreen());
      if (select(event, next)) {
        event.preventDefault();
        event.stopPropagation();
      } else if (next !== null) {
        event.preventDefault();
        wantsFocus.current = true;
        if (!event.shiftKey) anchorAt(next);
        activate(next);
        rows.scrollTo(next);
      } else if (perform(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
  };
}

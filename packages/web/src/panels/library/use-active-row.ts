import { type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { requestLoad } from '../../state/load-request.state.ts';
import { pickReference } from '../../state/reference.state.ts';
import { goTo } from '../../state/route.state.ts';
import { rowAfterKey } from './library.state.ts';
import { rowActionOf } from './row-keys.ts';
import type { RowDialogs } from './use-row-dialogs.ts';
import type { VisibleRows } from './use-visible-rows.ts';

/** The row that the keyboard acts on. */
export interface ActiveRow {
  /** Index of the row, from 0. */
  readonly index: number;
  readonly activate: (index: number) => void;
  /** Focuses the row's element when the keyboard moved to it; for the row's `ref`. */
  readonly focus: (row: HTMLElement | null) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

/** Moves through the rows by keyboard and performs the keys of the active row's track. */
export function useActiveRow(
  rows: VisibleRows,
  count: number,
  dialogs: RowDialogs,
  onPlay: (trackId: string) => void,
): ActiveRow {
  const [active, activate] = useState(0);
  const wantsFocus = useRef(false);
  const index = Math.min(active, Math.max(0, count - 1));
  const focus = useCallback((row: HTMLElement | null) => {
    if (!row || !wantsFocus.current) return;
    wantsFocus.current = false;
    row.focus({ preventScroll: true });
  }, []);

  const perform = (event: KeyboardEvent): boolean => {
    const track = rows.trackAt(index);
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
        onPlay(track.id);
        break;
      case 'delete':
        dialogs.remove(track);
        break;
      case 'edit':
        dialogs.edit(track);
        break;
      case 'compare':
        pickReference(track);
        break;
      case 'menu':
        dialogs.openMenu(track, event.target as Element);
        break;
    }
    return true;
  };

  return {
    index,
    activate,
    focus,
    onKeyDown(event) {
      if (event.target instanceof HTMLElement && event.target.closest('button, input, a')) return;
      const next = rowAfterKey(event.key, index, count, rows.rowsPerScreen());
      if (next !== null) {
        event.preventDefault();
        wantsFocus.current = true;
        activate(next);
        rows.scrollTo(next);
      } else if (perform(event)) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
  };
}

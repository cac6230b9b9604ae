import type { Track } from '@stem-studio/contract/resources/track';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef } from 'react';
import { errorText } from '../../client/api-error.ts';
import { fetchTrackIds, type TrackView, tracksQuery } from '../../client/queries.ts';
import { allSelected, clearSelection, selectIds, toggleSelected } from '../../state/selection.state.ts';
import { toastError } from '../../state/toasts.state.ts';
import { positionOfRow } from './library.state.ts';

/** Changes of the selection by rows of the list. */
export interface RowSelection {
  /** Makes a row the one from which a range begins. */
  readonly anchorAt: (index: number) => void;
  /** Adds a track to the selection or removes it. */
  readonly toggle: (index: number, track: Track) => void;
  /** Selects the rows from the anchor to `index`; keeps the others if `isAdded`. */
  readonly extendTo: (index: number, isAdded?: boolean) => void;
  readonly selectAll: () => void;
}

/**
 * Selects tracks by rows of a list. Rows that are not loaded are selected by their ids, which the service lists. The
 * selection ends with the search and with the list, because its tracks may no longer be listed.
 */
export function useRowSelection(view: TrackView, count: number): RowSelection {
  const client = useQueryClient();
  const anchor = useRef(0);
  const lastRequest = useRef(0);
  const { q, crate, isRecent } = view;
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- the selection ends when the list changes
  useEffect(() => clearSelection, [q, crate, isRecent]);

  const selectRows = useCallback(
    async (first: number, last: number, isAdded: boolean) => {
      const request = ++lastRequest.current;
      const kept = isAdded ? allSelected().map(({ id }) => id) : [];
      const loaded: Track[] = [];
      for (let page = positionOfRow(first).page; page <= positionOfRow(last).page; page++)
        loaded.push(...(client.getQueryData(tracksQuery(view, page).queryKey)?.data ?? []));
      const start = positionOfRow(first).offset;
      const rows = loaded.slice(start, start + last - first + 1);
      const isLoaded = rows.length === last - first + 1;
      try {
        const ids = isLoaded ? rows.map(({ id }) => id) : await fetchTrackIds(view, first, last);
        // A later selection wins.
        if (request === lastRequest.current) selectIds([...kept, ...ids], loaded);
      } catch (error) {
        toastError('The tracks were not selected', errorText(error));
      }
    },
    [client, view],
  );

  return {
    anchorAt: useCallback((index) => {
      anchor.current = index;
      lastRequest.current++;
    }, []),
    toggle: useCallback((index, track) => {
      anchor.current = index;
      lastRequest.current++;
      toggleSelected(track);
    }, []),
    extendTo: useCallback(
      (index, isAdded = false) => {
        const from = Math.min(anchor.current, count - 1);
        void selectRows(Math.min(from, index), Math.max(from, index), isAdded);
      },
      [count, selectRows],
    ),
    selectAll: useCallback(() => {
      if (count > 0) void selectRows(0, count - 1, false);
    }, [count, selectRows]),
  };
}

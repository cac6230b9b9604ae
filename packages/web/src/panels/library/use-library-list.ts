import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type TrackView, tracksQuery } from '../../client/queries.ts';
import { sortByFit } from '../../state/reference.state.ts';
import { isSameView, nextSort, type SortField } from './library.state.ts';
import { useRestedFit } from './use-rested-fit.ts';

/** The list that the library shows, and how it is sorted. */
export interface LibraryList {
  /** The list on the screen. */
  readonly view: TrackView;
  /** Tracks in the list on the screen; 0 while none is known. */
  readonly count: number;
  readonly status: 'loading' | 'ready' | 'failed';
  /** Whether another list was requested and has not arrived. */
  readonly isChanging: boolean;
  /** Why the list could not be loaded; null unless failed. */
  readonly error: unknown;
  /** Order that the column headers show. */
  readonly sort: TrackView['sort'];
  /** Changes the order as a press on a column's header does. */
  readonly sortBy: (field: SortField) => void;
  readonly retry: () => void;
}

/**
 * Loads the library list for a search, in the order of a column or of what fits with a reference track. The old list
 * stays on the screen until the first page of the new one has arrived.
 */
export function useLibraryList(search: string): LibraryList {
  const [sort, setSort] = useState<TrackView['sort']>('-created_at');
  const fit = useRestedFit();
  const requested = useMemo<TrackView>(() => {
    if (fit) return { q: search, sort: 'fit', fit: { key: fit.key, bpm: fit.bpm } };
    return { q: search, sort };
  }, [search, sort, fit]);
  const [view, setView] = useState(requested);
  const firstRequested = useQuery(tracksQuery(requested, 1));
  if (!isSameView(view, requested) && firstRequested.data) setView(requested);
  const firstShown = useQuery(tracksQuery(view, 1));
  const isFailed = firstRequested.isError && !firstShown.data;
  return {
    view,
    count: firstShown.data?.meta.total_count ?? 0,
    status: isFailed ? 'failed' : firstShown.isSuccess ? 'ready' : 'loading',
    isChanging: !isSameView(view, requested),
    error: isFailed ? firstRequested.error : null,
    sort: fit ? 'fit' : sort,
    sortBy(field) {
      sortByFit(null);
      setSort(fit ? field : nextSort(sort, field));
    },
    retry: () => void firstRequested.refetch(),
  };
}

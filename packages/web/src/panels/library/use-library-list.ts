import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type TrackView, tracksQuery } from '../../client/queries.ts';
import { filterTerms, libraryFilters } from '../../state/library-filters.state.ts';
import { sortByFit } from '../../state/reference.state.ts';
import { useStore } from '../../ui/use-store.ts';
import { isSameView, nextSort, type SortField } from './library.state.ts';
import { useRestedFit } from './use-rested-fit.ts';

/** The list that the library shows, and how it is sorted. */
export interface LibraryList {
  /** Name of the source of the list. */
  readonly title: string;
  /** The list on the screen. */
  readonly view: TrackView;
  /** Tracks in the list on the screen; 0 while none is known. */
  readonly count: number;
  /** Tracks of the source without search and filters; null while unknown. */
  readonly totalCount: number | null;
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
 * Loads the library list for a search and the filters, in the order of a column or of what fits with a reference track.
 * The old list stays on the screen until the first page of the new one has arrived.
 */
export function useLibraryList(search: string): LibraryList {
  const [sort, setSort] = useState<TrackView['sort']>('-created_at');
  const fit = useRestedFit();
  const filters = useStore(libraryFilters, (all) => all);
  const requested = useMemo<TrackView>(() => {
    const q = [search, ...filterTerms(filters).map(({ term }) => term)]
      .filter((part) => part !== '')
      .join(' ');
    if (fit) return { q, sort: 'fit', fit: { key: fit.key, bpm: fit.bpm } };
    return { q, sort };
  }, [search, filters, sort, fit]);
  const [view, setView] = useState(requested);
  const firstRequested = useQuery(tracksQuery(requested, 1));
  if (!isSameView(view, requested) && firstRequested.data) setView(requested);
  const firstShown = useQuery(tracksQuery(view, 1));
  const isFiltered = view.q !== '';
  const firstOfAll = useQuery({ ...tracksQuery({ ...view, q: '' }, 1), enabled: isFiltered });
  const isFailed = firstRequested.isError && !firstShown.data;
  const shown = firstShown.data?.meta.total_count;
  return {
    title: 'All tracks',
    view,
    count: shown ?? 0,
    totalCount: (isFiltered ? firstOfAll.data?.meta.total_count : shown) ?? null,
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

import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { type TrackView, tracksQuery } from '../../client/queries.ts';
import { filterTerms, libraryFilters } from '../../state/library-filters.state.ts';
import { useSourceTitle } from '../../state/library-source.ts';
import { sortByFit } from '../../state/reference.state.ts';
import { type LibrarySource, route } from '../../state/route.state.ts';
import { useStore } from '../../ui/use-store.ts';
import { isSameView, nextSort, type SortField } from './library.state.ts';
import { useRestedFit } from './use-rested-fit.ts';
import { useTrackCount } from './use-track-count.ts';

/** The list that the library shows, and how it is sorted. */
export interface LibraryList {
  /** Name of {@link LibraryList.source}. */
  readonly title: string;
  readonly source: LibrarySource;
  /** The list on the screen. */
  readonly view: TrackView;
  /** Tracks in the list on the screen; 0 while none is known. */
  readonly count: number;
  /** Whether more tracks follow that are not counted yet. */
  readonly isCountMinimum: boolean;
  /** Tracks of the source without search and filters; null while unknown. */
  readonly totalCount: number | null;
  readonly status: 'loading' | 'ready' | 'failed';
  /** Whether another list was requested and has not arrived. */
  readonly isChanging: boolean;
  /** Why the requested list could not be loaded, also while an older one is on the screen; null if it could. */
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
  const source = useStore(route, (now) => now.source);
  const title = useSourceTitle(source);
  const crate = source.kind === 'crate' ? source.id : null;
  const initial = crate === null ? '-created_at' : 'position';
  // Each list has its own order.
  const list = crate ?? source.kind;
  const [chosen, setChosen] = useState<{ list: string; sort: TrackView['sort'] }>({ list, sort: initial });
  const sort = chosen.list === list ? chosen.sort : initial;
  const fit = useRestedFit();
  const filters = useStore(libraryFilters, (all) => all);
  const requested = useMemo<TrackView>(() => {
    const q = [search, ...filterTerms(filters).map(({ term }) => term)]
      .filter((part) => part !== '')
      .join(' ');
    const part = { ...(crate !== null && { crate }), ...(source.kind === 'recent' && { isRecent: true }) };
    if (fit) return { q, ...part, sort: 'fit', fit: { key: fit.key, bpm: fit.bpm } };
    return { q, ...part, sort };
  }, [search, filters, sort, fit, crate, source.kind]);
  const [view, setView] = useState(requested);
  const firstRequested = useQuery(tracksQuery(requested, 1));
  if (!isSameView(view, requested) && firstRequested.data) setView(requested);
  const firstShown = useQuery(tracksQuery(view, 1));
  const isFiltered = view.q !== '';
  const shown = useTrackCount(view, true);
  const ofAll = useTrackCount({ ...view, q: '' }, isFiltered);
  const error = firstRequested.isError && !firstRequested.data ? firstRequested.error : null;
  const isFailed = error !== null && !firstShown.data;
  return {
    title,
    source,
    view,
    count: shown?.count ?? 0,
    isCountMinimum: shown?.isMinimum ?? false,
    totalCount: isFiltered ? (ofAll && !ofAll.isMinimum ? ofAll.count : null) : (shown?.count ?? null),
    status: isFailed ? 'failed' : firstShown.isSuccess ? 'ready' : 'loading',
    isChanging: !isSameView(view, requested) && error === null,
    error,
    sort: fit ? 'fit' : sort,
    sortBy(field) {
      sortByFit(null);
      setChosen({ list, sort: fit ? field : nextSort(sort, field, initial) });
    },
    retry: () => void firstRequested.refetch(),
  };
}

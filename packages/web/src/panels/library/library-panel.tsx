import { type ReactNode, Suspense } from 'react';
import { ApiError, errorText } from '../../client/api-error.ts';
import { browseCatalog } from '../../state/catalog-view.state.ts';
import { clearFilters } from '../../state/library-filters.state.ts';
import { undoLast } from '../../state/library-undo.ts';
import { hasReference, references } from '../../state/reference.state.ts';
import { goTo, type LibrarySource } from '../../state/route.state.ts';
import { selection } from '../../state/selection.state.ts';
import { useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { lazy } from '../../ui/lazy.ts';
import { Notice } from '../../ui/notice.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './library-panel.module.css';
import { LibraryToolbar } from './library-toolbar.tsx';
import { RowDialogsView } from './row-dialogs.tsx';
import { StorageNotice } from './storage-notice.tsx';
import { TrackGrid } from './track-grid.tsx';
import { useLibraryList } from './use-library-list.ts';
import { useRowDialogs } from './use-row-dialogs.ts';
import { useUndoKey } from './use-undo-key.ts';

const FirstVisit = lazy(() => import('./first-visit.tsx').then((m) => ({ default: m.FirstVisit })));
const FitBar = lazy(() => import('./fit-bar.tsx').then((m) => ({ default: m.FitBar })));
const SelectionBar = lazy(() => import('./selection-bar.tsx').then((m) => ({ default: m.SelectionBar })));
const ListError = lazy(() => import('./list-error.tsx').then((m) => ({ default: m.ListError })));
const SearchLine = lazy(() => import('./search-line.tsx').then((m) => ({ default: m.SearchLine })));

/**
 * Library: all tracks of the user, up to a hundred thousand, or those that match a search. Only the visible rows are
 * rendered, and only the pages around them are fetched.
 */
export function LibraryPanel({
  search,
  searchField,
  onPlay,
}: {
  search: string;
  /** The search field on the page of the first visit, or null while the header shows it. */
  searchField: ReactNode;
  onPlay: (trackId: string) => void;
}) {
  const list = useLibraryList(search);
  const actions = useTrackActions();
  const dialogs = useRowDialogs(actions);
  useUndoKey(() => void undoLast());
  const isCompared = useStore(references, hasReference);
  const isSelecting = useStore(selection, ({ ids }) => ids.size > 0);

  if (list.status === 'failed' && list.source.kind === 'crate' && isMissing(list.error)) {
    return (
      <Notice
        icon="warning"
        title="This crate no longer exists"
        actions={<Button onClick={() => goTo({ source: { kind: 'all' } })}>All tracks</Button>}
      />
    );
  }
  if (list.status === 'failed') {
    return (
      <Notice
        icon="warning"
        title="The library could not be loaded"
        isError
        actions={<Button onClick={list.retry}>Retry</Button>}
      >
        {errorText(list.error)}
      </Notice>
    );
  }
  const { q } = list.view;
  const failure = list.error !== null && (
    <Suspense fallback={null}>
      <ListError error={list.error} onRetry={list.retry} />
    </Suspense>
  );
  const isEmpty = list.status === 'ready' && list.count === 0;
  if (isEmpty && q === '' && list.source.kind === 'all') {
    return (
      <Suspense fallback={null}>
        <FirstVisit searchField={searchField} />
      </Suspense>
    );
  }
  const searchLine = search !== '' && q !== '' && (
    <div className={styles['search']}>
      <Suspense fallback={null}>
        <SearchLine search={q} list={list} />
      </Suspense>
    </div>
  );
  if (isEmpty) {
    return (
      <section className={styles['panel']} aria-label="Library">
        <LibraryToolbar list={list} />
        {failure}
        {searchLine}
        {q === '' ? (
          <EmptySource source={list.source} />
        ) : search === '' ? (
          <Notice
            icon="filter"
            title="No track matches the filters"
            actions={<Button onClick={clearFilters}>Clear filters</Button>}
          />
        ) : (
          <Notice
            icon="search"
            title={`Nothing in the library matches “${q}”`}
            actions={<Button onClick={() => browseCatalog(q)}>Search the catalog</Button>}
          >
            The search covers titles, artists, albums and tags.
          </Notice>
        )}
      </section>
    );
  }
  return (
    <section className={styles['panel']} aria-label="Library">
      <LibraryToolbar list={list} />
      {failure}
      <StorageNotice actions={actions} />
      {isCompared && (
        <div className={styles['compared']}>
          <Suspense fallback={null}>
            <FitBar />
          </Suspense>
        </div>
      )}
      {searchLine}
      <TrackGrid list={list} actions={actions} dialogs={dialogs} onPlay={onPlay} />
      {isSelecting && (
        <Suspense fallback={null}>
          <SelectionBar dialogs={dialogs} />
        </Suspense>
      )}
      <RowDialogsView dialogs={dialogs} actions={actions} />
    </section>
  );
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

/** Says why a list without a search is empty, and how tracks get into it. */
function EmptySource({ source }: { source: LibrarySource }) {
  if (source.kind === 'recent') return <Notice icon="clock" title="Nothing was added in the last 30 days" />;
  return (
    <Notice icon="crate" title="No tracks in this crate">
      Drop tracks onto it in the sidebar, or choose “Add to crate” in the menu of a track.
    </Notice>
  );
}

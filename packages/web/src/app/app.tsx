import { hasRole } from '@stem-studio/contract/roles';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { errorText } from '../client/api-error.ts';
import { importsQuery } from '../client/catalog-queries.ts';
import { duplicates } from '../client/duplicates.ts';
import { jobCountQuery } from '../client/job-queries.ts';
import { onDemand } from '../client/on-demand.ts';
import { isOfflineCopy } from '../client/page-copy.ts';
import { accountQuery, mixesQuery, tracksQuery } from '../client/queries.ts';
import { onServiceBack } from '../client/service-reach.ts';
import { DropOverlay } from '../panels/import/drop-overlay.tsx';
import { LibraryPanel } from '../panels/library/library-panel.tsx';
import { Sidebar } from '../panels/sidebar/sidebar.tsx';
import { catalogView, closeCatalog } from '../state/catalog-view.state.ts';
import { djArrangement } from '../state/decks/dj-layout.state.ts';
import { djView } from '../state/decks/dj-view.ts';
import { decksElsewhere, shareDecks } from '../state/decks-elsewhere.state.ts';
import { outputUse } from '../state/output-use.state.ts';
import { playTrack } from '../state/play-request.state.ts';
import { closePreview, preview } from '../state/preview.state.ts';
import { requestedFiles } from '../state/requested-files.state.ts';
import { followHistory, goTo, route } from '../state/route.state.ts';
import { search } from '../state/search.state.ts';
import { pendingToasts } from '../state/toasts.state.ts';
import { createUploads } from '../state/uploads.state.ts';
import { Button } from '../ui/button.tsx';
import { lazy } from '../ui/lazy.ts';
import { LazyPart } from '../ui/lazy-part.tsx';
import { Notice } from '../ui/notice.tsx';
import { useIsNarrow } from '../ui/use-is-narrow.ts';
import { useScope } from '../ui/use-scope.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './app.module.css';
import { confirmUploads } from './confirm-uploads.ts';
import { Header } from './header.tsx';
import { PageLines } from './page-lines.tsx';
import { SearchField } from './search-field.tsx';
import { startUpload } from './start-upload.ts';
import { useLive } from './use-live.ts';
import { useOpenerFocus } from './use-opener-focus.ts';
import { useStoredRecordings } from './use-stored-recordings.ts';

const JobsPanel = lazy(() => import('../panels/jobs/jobs-panel.tsx').then((m) => ({ default: m.JobsPanel })));
const NetworksPanel = lazy(() =>
  import('../panels/networks/networks-panel.tsx').then((m) => ({ default: m.NetworksPanel })),
);
const TrashPanel = lazy(() =>
  import('../panels/trash/trash-panel.tsx').then((m) => ({ default: m.TrashPanel })),
);
const Toasts = lazy(() => import('../ui/toasts.tsx').then((m) => ({ default: m.Toasts })));
const DjTab = lazy(() => import('../panels/decks/dj-tab.tsx').then((m) => ({ default: m.DjTab })));
const EditorTab = lazy(() =>
  import('../panels/editor/editor-tab.tsx').then((m) => ({ default: m.EditorTab })),
);
const CatalogDialogs = lazy(() =>
  import('../panels/import/catalog-dialogs.tsx').then((m) => ({ default: m.CatalogDialogs })),
);
const Transfers = lazy(() =>
  import('../panels/import/transfers.tsx').then((m) => ({ default: m.Transfers })),
);
const HistoryPanel = lazy(() =>
  import('../panels/sidebar/history-panel.tsx').then((m) => ({ default: m.HistoryPanel })),
);
const MiniPlayer = lazy(() =>
  import('../panels/preview/mini-player.tsx').then((m) => ({ default: m.MiniPlayer })),
);
const DecksLine = lazy(() =>
  import('../panels/preview/decks-line.tsx').then((m) => ({ default: m.DecksLine })),
);
const MixLines = lazy(() => import('./mix-lines.tsx').then((m) => ({ default: m.MixLines })));
const RecoveredRecordings = lazy(() =>
  import('../panels/recordings/recovered-recordings.tsx').then((m) => ({ default: m.RecoveredRecordings })),
);
const TrackPage = lazy(() => import('./track-page.tsx').then((m) => ({ default: m.TrackPage })));

const loadFreeDeck = onDemand(() => import('../panels/decks/load-on-free-deck.ts'));

const uploads = createUploads<File>(startUpload);
const addFiles = (files: readonly File[]) => uploads.add(files);

/** The page at `/`: header, tabs, and the open track. */
export function App() {
  const tab = useStore(route, (state) => state.tab);
  const track = useStore(route, (state) => state.track);
  const isTall = useStore(route, (state) => state.isTall);
  const isNarrow = useIsNarrow();
  const view = useStore(djView, (state) => state.view);
  const isBelowDecks = tab === 'dj' && !isNarrow;
  const hasLowerList = useStore(
    djArrangement,
    ({ layout, lowerTab }) => layout === 'library' && lowerTab === 'library',
  );
  const lowerPx = useStore(djArrangement, (arrangement) => arrangement.lowerPx);
  const isListing = isBelowDecks ? hasLowerList : tab === 'library' || (tab === 'dj' && view === 'library');
  const client = useQueryClient();
  const loadOnDeck = useCallback(
    (trackId: string) => void loadFreeDeck().then(({ loadOnFreeDeck }) => loadOnFreeDeck(client, trackId)),
    [client],
  );
  const account = useQuery(accountQuery());
  const jobCount = useQuery(jobCountQuery());
  const live = useLive(account.data?.id ?? null);
  const query = useStore(search, (state) => state.query);
  const hasCatalogDialog = useStore(catalogView, ({ view }) => view !== null);
  const hasUploads = useStore(uploads.store, (state) => state.uploads.length > 0);
  const hasDuplicates = useStore(duplicates, ({ found }) => found.length > 0);
  const imports = useQuery(importsQuery());
  const hasTransfers = hasUploads || hasDuplicates || (imports.data?.length ?? 0) > 0;
  const input = useRef<HTMLInputElement>(null);
  // Only reads what the library has loaded.
  const all = useQuery({ ...tracksQuery({ q: '', sort: '-created_at' }, 1), enabled: false });
  const source = useStore(route, (state) => state.source);
  const isFirstVisit = tab === 'library' && source.kind === 'all' && all.data?.meta.total_count === 0;
  const hasPreview = useStore(preview, ({ now }) => now !== null);
  const isPlayedElsewhere = useStore(decksElsewhere, ({ title }) => title !== null) && tab !== 'dj';
  const hasDecksLine = useStore(outputUse, ({ decks }) => decks !== null) || isPlayedElsewhere;
  const mixes = useQuery(mixesQuery());
  // Mixes that another tab or an earlier visit has requested are shown while they run.
  const isMixing = mixes.data?.some((mix) => !mix.is_ready) ?? false;
  const hasMixLines = useStore(requestedFiles, ({ hasAny }) => hasAny) || isMixing;
  const [hasToasts, setHasToasts] = useState(false);
  const hasRecovered = useStoredRecordings(account.data?.id ?? null);
  useScope(
    (scope) =>
      onServiceBack(
        scope,
        () =>
          void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }),
      ),
    [client],
  );
  const userId = account.data?.id ?? null;
  useScope(
    (scope) => {
      if (userId !== null) shareDecks(scope, userId);
    },
    [userId],
  );
  useScope(followHistory, []);
  useScope((scope) => confirmUploads(scope, uploads.store), []);
  useOpenerFocus(track);
  useScope((scope) => {
    scope.own(pendingToasts.subscribe((pending) => pending.length > 0 && setHasToasts(true)));
  }, []);

  if (account.isError && !account.data) {
    return (
      <main className={styles['alone']}>
        {hasRecovered && (
          <LazyPart name="The list of recordings" look="popup">
            <RecoveredRecordings />
          </LazyPart>
        )}
        <Notice
          icon="warning"
          title="Studio not reachable"
          isError
          actions={
            <>
              <Button look="primary" onClick={() => void account.refetch()}>
                Retry
              </Button>
              {!isOfflineCopy() && <a href="/users/log-in">Log in</a>}
            </>
          }
        >
          {isOfflineCopy()
            ? 'This page was opened from the copy in this browser. It connects by itself when the studio is back; recordings that are kept here are offered now.'
            : errorText(account.error)}
        </Notice>
      </main>
    );
  }
  return (
    <div className={styles['app']}>
      <Header
        isCovered={track !== null && isNarrow}
        tab={tab}
        email={account.data?.email ?? ''}
        isAdmin={hasRole(account.data?.role ?? 'user', 'admin')}
        jobCount={jobCount.data ?? 0}
        isFirstVisit={isFirstVisit}
        input={input}
        onFiles={addFiles}
      />
      {hasMixLines && (
        <LazyPart name="The list of requested files">
          <MixLines />
        </LazyPart>
      )}
      <PageLines status={live} isBesideDecks={tab === 'dj'} />
      {hasDecksLine && (
        <LazyPart name="The line of the decks" look="popup">
          <DecksLine isBesideDecks={tab === 'dj'} />
        </LazyPart>
      )}
      <div className={styles['body']}>
        <Sidebar isShown={tab === 'library' && !isFirstVisit} />
        {/* Keeps the keyboard focus out of the parts that the open track covers. */}
        <main className={styles['main']} inert={track !== null && (isTall || isNarrow)}>
          {tab === 'dj' ? (
            <LazyPart
              name="The decks"
              pending={<section className={styles['decks']} aria-label="Decks" aria-busy="true" />}
            >
              <DjTab />
            </LazyPart>
          ) : (
            hasTransfers && (
              <LazyPart name="The uploads and imports">
                <Transfers uploads={uploads} />
              </LazyPart>
            )
          )}
          {/* One list for both tabs, so that it keeps its scroll position. */}
          <div
            className={styles['tab']}
            data-below-decks={isBelowDecks}
            style={lowerPx === null ? undefined : { ['--lower' as string]: `${lowerPx}px` }}
            hidden={!isListing}
          >
            {source.kind === 'history' ? (
              <LazyPart name="The history">
                <HistoryPanel />
              </LazyPart>
            ) : (
              <LazyPart name="The library">
                <LibraryPanel
                  // The first visit remains while the field searches the catalog.
                  search={isFirstVisit ? '' : query}
                  searchField={isFirstVisit ? <SearchField isLarge tab={tab} input={input} /> : null}
                  onPlay={tab === 'dj' ? loadOnDeck : playTrack}
                />
              </LazyPart>
            )}
          </div>
          {tab === 'daw' && (
            <LazyPart name="The editor" pending={<p className={styles['loading']}>Loading the editor…</p>}>
              <EditorTab onFiles={addFiles} />
            </LazyPart>
          )}
          {tab === 'jobs' && (
            <LazyPart name="The list of jobs" pending={<p className={styles['loading']}>Loading jobs…</p>}>
              <JobsPanel />
            </LazyPart>
          )}
          {tab === 'trash' && (
            <LazyPart name="The trash" pending={<p className={styles['loading']}>Loading the trash…</p>}>
              <TrashPanel />
            </LazyPart>
          )}
          {tab === 'networks' && (
            <LazyPart name="The networks" pending={<p className={styles['loading']}>Loading networks…</p>}>
              <NetworksPanel />
            </LazyPart>
          )}
        </main>
      </div>
      {track !== null && (
        <LazyPart
          key={track}
          name="The player"
          pending={<section className={styles['pane']} aria-label="Player" aria-busy="true" />}
          onClose={() => goTo({ track: null })}
        >
          <TrackPage trackId={track} />
        </LazyPart>
      )}
      {hasCatalogDialog && (
        <LazyPart name="The catalog" look="popup" onClose={closeCatalog}>
          <CatalogDialogs />
        </LazyPart>
      )}
      {hasPreview && (
        <LazyPart name="The mini player" onClose={closePreview}>
          <MiniPlayer />
        </LazyPart>
      )}
      {hasRecovered && (
        <LazyPart name="The list of recordings" look="popup">
          <RecoveredRecordings />
        </LazyPart>
      )}
      <DropOverlay onFiles={addFiles} />
      {hasToasts && (
        <LazyPart name="The messages" look="popup">
          <Toasts />
        </LazyPart>
      )}
    </div>
  );
}

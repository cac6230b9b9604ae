import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useCallback, useState } from 'react';
import { wordsOf } from '../../client/api-error.ts';
import { accountQuery, jobCountQuery } from '../../client/queries.ts';
import { sendFile } from '../../client/send-file.ts';
import { djView } from '../../state/decks/dj-view.ts';
import { Button } from '../../ui/button.tsx';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { Notice } from '../../ui/notice.tsx';
import { waitingToasts } from '../../ui/toast-words.ts';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { LibraryPanel } from '../library/library-panel.tsx';
import styles from './app.module.css';
import { DropOverlay } from './drop-overlay.tsx';
import { Header } from './header.tsx';
import { ImportBar } from './import-bar.tsx';
import { ImportList } from './import-list.tsx';
import { PageLines } from './page-lines.tsx';
import { followHistory, goTo, place } from './place.state.ts';
import { playTrack } from './play-wish.state.ts';
import { UploadList } from './upload-list.tsx';
import { createUploads } from './uploads.state.ts';
import { useLive } from './use-live.ts';
import { useOpenerFocus } from './use-opener-focus.ts';

const JobsPanel = lazy(() => import('../jobs/jobs-panel.tsx').then((m) => ({ default: m.JobsPanel })));
const Toasts = lazy(() => import('../../ui/toasts.tsx').then((m) => ({ default: m.Toasts })));
const DjTab = lazy(() => import('../decks/dj-tab.tsx').then((m) => ({ default: m.DjTab })));
const TrackPanel = lazy(() => import('../track/track-panel.tsx').then((m) => ({ default: m.TrackPanel })));

const uploads = createUploads<File>(sendFile);
const addFiles = (files: readonly File[]) => uploads.add(files);

/** The dashboard: what is seen at `/`. */
export function App() {
  const tab = useStore(place, (state) => state.tab);
  const track = useStore(place, (state) => state.track);
  const isTall = useStore(place, (state) => state.isTall);
  const isNarrow = useIsNarrow();
  const view = useStore(djView, (state) => state.view);
  const isListing = tab === 'library' || (tab === 'dj' && (!isNarrow || view === 'library'));
  const client = useQueryClient();
  const loadOnDeck = useCallback(
    (trackId: string) =>
      void import('../decks/load-on-free-deck.ts').then(({ loadOnFreeDeck }) =>
        loadOnFreeDeck(client, trackId),
      ),
    [client],
  );
  const account = useQuery(accountQuery());
  const jobCount = useQuery(jobCountQuery());
  const live = useLive(account.data?.id ?? null);
  const [search, setSearch] = useState('');
  const [hasSpoken, setHasSpoken] = useState(false);
  useScope(followHistory, []);
  useOpenerFocus(track);
  useScope((scope) => {
    scope.own(waitingToasts.subscribe((waiting) => waiting.length > 0 && setHasSpoken(true)));
  }, []);

  if (account.isError && !account.data) {
    return (
      <main className={styles['alone']}>
        <Notice
          icon="warning"
          title="The studio does not answer"
          isError
          actions={
            <>
              <Button look="primary" onClick={() => void account.refetch()}>
                Try again
              </Button>
              <a href="/users/log-in">Log in</a>
            </>
          }
        >
          {wordsOf(account.error)}
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
        jobCount={jobCount.data ?? 0}
        search={search}
        onSearch={setSearch}
      />
      <PageLines status={live} isBesideDecks={tab === 'dj'} />
      {/* What the open track covers must not be reached by the keyboard. */}
      <main className={styles['main']} inert={track !== null && (isTall || isNarrow)}>
        {tab === 'dj' ? (
          <LazyPart
            name="The decks"
            pending={<section className={styles['decks']} aria-label="Decks" aria-busy="true" />}
          >
            <DjTab />
          </LazyPart>
        ) : (
          <>
            <ImportBar onFiles={addFiles} />
            <ImportList />
            <UploadList uploads={uploads} />
          </>
        )}
        {/* The same list serves both tabs, and keeps its place. */}
        <div className={styles['tab']} hidden={!isListing}>
          <LazyPart name="The library">
            <LibraryPanel search={search} onPlay={tab === 'dj' ? loadOnDeck : playTrack} />
          </LazyPart>
        </div>
        {tab === 'jobs' && (
          <LazyPart name="The list of jobs" pending={<p className={styles['loading']}>Loading jobs…</p>}>
            <JobsPanel />
          </LazyPart>
        )}
      </main>
      {track !== null && (
        <LazyPart
          key={track}
          name="The player"
          pending={<section className={styles['pane']} aria-label="Player" aria-busy="true" />}
          onClose={() => goTo({ track: null })}
        >
          <TrackPanel trackId={track} />
        </LazyPart>
      )}
      <DropOverlay onFiles={addFiles} />
      {hasSpoken && (
        <LazyPart name="The messages" look="popup">
          <Toasts />
        </LazyPart>
      )}
    </div>
  );
}

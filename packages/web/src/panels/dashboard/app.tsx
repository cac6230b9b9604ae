import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { wordsOf } from '../../client/api-error.ts';
import { accountQuery, jobCountQuery } from '../../client/queries.ts';
import { sendFile } from '../../client/send-file.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Toasts } from '../../ui/toasts.tsx';
import { useScope } from '../../ui/use-scope.ts';
import { useStore } from '../../ui/use-store.ts';
import { LibraryPanel } from '../library/library-panel.tsx';
import styles from './app.module.css';
import { DropOverlay } from './drop-overlay.tsx';
import { Header } from './header.tsx';
import { ImportBar } from './import-bar.tsx';
import { LiveLine } from './live-line.tsx';
import { followHistory, goTo, place } from './place.state.ts';
import { UploadList } from './upload-list.tsx';
import { createUploads } from './uploads.state.ts';
import { useLive } from './use-live.ts';

const JobsPanel = lazy(() => import('../jobs/jobs-panel.tsx').then((m) => ({ default: m.JobsPanel })));
const TrackPanel = lazy(() => import('../track/track-panel.tsx').then((m) => ({ default: m.TrackPanel })));

const uploads = createUploads<File>(sendFile);

/** The dashboard: what is seen at `/`. */
export function App() {
  const tab = useStore(place, (state) => state.tab);
  const track = useStore(place, (state) => state.track);
  const account = useQuery(accountQuery());
  const jobCount = useQuery(jobCountQuery());
  const live = useLive(account.data?.id ?? null);
  const [search, setSearch] = useState('');
  useScope(followHistory, []);

  // A song that the user asked to hear starts as soon as its player is there.
  const playOnOpen = useRef<string | null>(null);
  const [, setPlayWish] = useState(0);
  const play = useCallback((trackId: string) => {
    playOnOpen.current = trackId;
    setPlayWish((wishes) => wishes + 1);
    goTo({ track: trackId });
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
        tab={tab}
        email={account.data?.email ?? ''}
        jobCount={jobCount.data ?? 0}
        search={search}
        onSearch={setSearch}
      />
      <LiveLine live={live} />
      <main className={styles['main']}>
        <ImportBar onFiles={uploads.add} />
        <UploadList uploads={uploads} />
        <div className={styles['tab']} hidden={tab !== 'library'}>
          <LibraryPanel search={search} onPlay={play} />
        </div>
        {tab === 'jobs' && (
          <Suspense fallback={<p className={styles['loading']}>Loading jobs…</p>}>
            <JobsPanel />
          </Suspense>
        )}
      </main>
      {track !== null && (
        <Suspense fallback={<section className={styles['pane']} aria-label="Player" aria-busy="true" />}>
          <TrackPanel key={track} trackId={track} playWish={playOnOpen} />
        </Suspense>
      )}
      <DropOverlay onFiles={uploads.add} />
      <Toasts />
    </div>
  );
}

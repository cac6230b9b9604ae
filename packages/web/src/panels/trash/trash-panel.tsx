import type { TrashedTrack } from '@stem-studio/contract/endpoints/trash';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { bytesText, clockText, countText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { trashQuery } from '../../client/queries.ts';
import { type TrackActions, useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Notice } from '../../ui/notice.tsx';
import { QuestionDialog } from '../../ui/question-dialog.tsx';
import styles from './trash-panel.module.css';
import { keptText } from './trash-text.ts';

/** The deleted tracks that can be restored, the last deleted first, with the time that is left for each. */
export function TrashPanel() {
  const [page, setPage] = useState(1);
  const found = useQuery(trashQuery(page));
  const actions = useTrackActions();
  const [isEmptying, setEmptying] = useState(false);
  if (found.isError && !found.data)
    return (
      <Notice
        icon="warning"
        title="The trash could not be loaded"
        isError
        actions={<Button onClick={() => void found.refetch()}>Retry</Button>}
      >
        {errorText(found.error)}
      </Notice>
    );
  const { data: tracks = [], meta } = found.data ?? {};
  const count = meta?.total_count ?? 0;
  return (
    <section className={styles['panel']} aria-label="Trash" aria-busy={found.isPending}>
      <div className={styles['head']}>
        <h2>Trash</h2>
        {count > 0 && (
          <Button icon="trash" onClick={() => setEmptying(true)}>
            Empty trash
          </Button>
        )}
      </div>
      {found.isSuccess && count === 0 ? (
        <Notice icon="trash" title="The trash is empty">
          Deleted tracks are kept here for a while, with their stems and analyses.
        </Notice>
      ) : (
        <p className={styles['intro']}>
          {countText(count, 'track')}. Deleted tracks can be restored with their stems and analyses for the
          time shown. Until then they count as used storage.
        </p>
      )}
      <ul>
        {tracks.map((trashed) => (
          <TrashRow key={trashed.track.id} trashed={trashed} actions={actions} />
        ))}
      </ul>
      {meta && meta.total_pages > 1 && (
        <nav className={styles['pages']} aria-label="Pages of the trash">
          <Button small disabled={page <= 1} onClick={() => setPage(page - 1)}>
            Newer
          </Button>
          <span>
            Page {page} of {meta.total_pages}
          </span>
          <Button small disabled={page >= meta.total_pages} onClick={() => setPage(page + 1)}>
            Older
          </Button>
        </nav>
      )}
      {isEmptying && (
        <QuestionDialog
          title="Empty the trash?"
          stay="Cancel"
          go={`Delete ${countText(count, 'track')} for good`}
          onAnswer={(isWanted) => {
            setEmptying(false);
            setPage(1);
            if (isWanted) void actions.freeSpace();
          }}
        >
          Their audio, stems and analyses are deleted and cannot be restored.
        </QuestionDialog>
      )}
    </section>
  );
}

function TrashRow({ trashed, actions }: { trashed: TrashedTrack; actions: TrackActions }) {
  const [isAsking, setAsking] = useState(false);
  const { track, bytes, seconds_left } = trashed;
  const facts = [
    track.artist,
    ...(track.duration > 0 ? [clockText(track.duration)] : []),
    bytesText(bytes),
  ].filter((part) => part !== '');
  return (
    <li className={styles['track']} aria-label={track.title}>
      <Cover url={track.album_art_url} />
      <div className={styles['facts']}>
        <h3>{track.title}</h3>
        <p>{facts.join(' · ')}</p>
      </div>
      <p className={styles['left']}>{keptText(seconds_left)}</p>
      <div className={styles['actions']}>
        <Button small icon="retry" onClick={() => void actions.restore(track)}>
          Restore
        </Button>
        <Button small icon="trash" onClick={() => setAsking(true)}>
          Delete for good
        </Button>
      </div>
      {isAsking && (
        <QuestionDialog
          title={`Delete “${track.title}” for good?`}
          stay="Cancel"
          go="Delete for good"
          onAnswer={(isWanted) => {
            setAsking(false);
            if (isWanted) void actions.purge(track);
          }}
        >
          Its audio, stems and analyses are deleted and cannot be restored.
        </QuestionDialog>
      )}
    </li>
  );
}

import { useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ImportEntry } from './import-entry.tsx';
import { groupJobs, type JobGroup } from './job-groups.ts';
import { JobRow } from './job-row.tsx';
import styles from './jobs-panel.module.css';
import { type JobList, useJobList } from './use-job-lists.ts';

const filters = ['All', 'Active', 'Failed', 'Finished'] as const;
type Filter = (typeof filters)[number];

/** Title and text of the panel without jobs. */
const emptyTexts: Readonly<Record<Filter, readonly [title: string, text: string]>> = {
  All: ['No jobs', 'Imports, separations and analyses appear here.'],
  Active: ['No active jobs', 'Running and queued jobs appear here.'],
  Failed: ['No failed jobs', 'Jobs that failed or were cancelled appear here, and can be retried.'],
  Finished: ['No finished jobs', 'Jobs that are done appear here.'],
};

/** Jobs of the user: running, queued, failed and finished, filtered by state. */
export function JobsPanel() {
  const [filter, setFilter] = useState<Filter>('All');
  const actions = useTrackActions();
  // Always fetched, because the filters show their number.
  const running = useJobList('running');
  const queued = useJobList('queued');
  const finished = useJobList('finished', filter === 'All');
  const failed = useJobList('failed', filter === 'Failed');
  const completed = useJobList('completed', filter === 'Finished');
  const ended = { All: finished, Active: null, Failed: failed, Finished: completed }[filter];
  const lists = [...(filter === 'All' || filter === 'Active' ? [running, queued] : []), ended].filter(
    (list) => list !== null,
  );
  const broken = lists.find(({ error }) => error !== null);
  if (broken) {
    return (
      <Notice
        icon="warning"
        title="The jobs could not be loaded"
        isError
        actions={<Button onClick={() => lists.forEach((list) => list.refetch())}>Retry</Button>}
      >
        {errorText(broken.error)}
      </Notice>
    );
  }
  const isPending = lists.some((list) => list.isPending);
  // A job that has just changed state is in two lists until they are fetched again.
  const jobs = new Map(lists.flatMap((list) => list.jobs).map((job) => [job.id, job]));
  const groups = groupJobs([...jobs.values()]);
  const listOf: Readonly<Partial<Record<JobGroup, JobList>>> = { Running: running, Queued: queued };
  const active = running.total + queued.total;
  return (
    <section className={styles['panel']} aria-label="Jobs" aria-busy={isPending}>
      <div className={styles['filters']} role="group" aria-label="Filter by state">
        {filters.map((name) => (
          <Button key={name} small aria-pressed={filter === name} onClick={() => setFilter(name)}>
            {name}
            {name === 'Active' && active > 0 && (
              <span className={styles['count']}>{active.toLocaleString('en')}</span>
            )}
          </Button>
        ))}
      </div>
      {isPending &&
        Array.from({ length: 6 }, (_, i) => <div key={`ghost-${i}`} className={styles['ghost']} />)}
      {!isPending && jobs.size === 0 && (
        <Notice icon="check" title={emptyTexts[filter][0]}>
          {emptyTexts[filter][1]}
        </Notice>
      )}
      {!isPending &&
        groups.map(({ group, entries, count }) => (
          <div key={group}>
            <h2 className={styles['group']}>
              {/* The finished jobs of this filter are the cancelled ones. */}
              {filter === 'Failed' && group === 'Finished' ? 'Cancelled' : group}{' '}
              <span>{(listOf[group]?.total ?? count).toLocaleString('en')}</span>
            </h2>
            <ul>
              {entries.map((entry) =>
                entry.kind === 'job' ? (
                  <JobRow key={entry.job.id} job={entry.job} actions={actions} />
                ) : (
                  <ImportEntry key={entry.importId} importId={entry.importId} jobs={entry.jobs} />
                ),
              )}
            </ul>
            <MoreJobs list={listOf[group]} text="more" />
          </div>
        ))}
      {!isPending && <MoreJobs list={ended} text="older" />}
    </section>
  );
}

/** Button that shows the next page of a list, if there is one. */
function MoreJobs({ list, text }: { list: JobList | null | undefined; text: 'more' | 'older' }) {
  const hidden = list ? list.total - list.jobs.length : 0;
  if (hidden <= 0) return null;
  return (
    <p className={styles['rest']}>
      <Button small onClick={list?.showMore}>
        Show {text} ({hidden.toLocaleString('en')})
      </Button>
    </p>
  );
}

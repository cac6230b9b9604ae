import type { Job } from '@stem-studio/contract/resources/job';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../client/api-error.ts';
import { isFinished } from '../../client/live-merge.ts';
import { jobsQuery } from '../../client/queries.ts';
import { goTo } from '../../state/route.state.ts';
import { type TrackActions, useTrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { isCancelled, jobTypeNames, progressText, stageText } from '../../ui/job-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { ImportEntry } from './import-entry.tsx';
import { groupJobs, type JobGroup } from './job-groups.ts';
import styles from './jobs-panel.module.css';

/**
 * Jobs of the user: running, queued, failed and finished. Running imports are listed above, each in one line; their
 * queued songs are not listed again.
 */
export function JobsPanel() {
  const running = useQuery(jobsQuery('running'));
  const queued = useQuery(jobsQuery('queued'));
  const finished = useQuery(jobsQuery('finished'));
  const lists = [running, queued, finished];
  const actions = useTrackActions();
  const broken = lists.find((list) => list.isError && !list.data);
  if (broken) {
    return (
      <Notice
        icon="warning"
        title="The jobs could not be loaded"
        isError
        actions={<Button onClick={() => void Promise.all(lists.map((list) => list.refetch()))}>Retry</Button>}
      >
        {errorText(broken.error)}
      </Notice>
    );
  }
  const isPending = lists.some((list) => list.isPending);
  // A job that has just changed state is in two lists until they are fetched again.
  const jobs = new Map(lists.flatMap((list) => list.data?.data ?? []).map((job) => [job.id, job]));
  if (!isPending && jobs.size === 0) {
    return (
      <Notice icon="check" title="No jobs">
        Imports, separations and analyses appear here.
      </Notice>
    );
  }
  const hidden = (list: typeof running) => (list.data?.meta.total_count ?? 0) - (list.data?.data.length ?? 0);
  const rest: Partial<Record<JobGroup, string>> = {
    ...(hidden(queued) > 0 && { Queued: `${hidden(queued).toLocaleString('en')} more queued` }),
    ...(hidden(finished) > 0 && {
      Finished: 'Older jobs are not shown',
    }),
  };
  return (
    <section className={styles['panel']} aria-label="Jobs" aria-busy={isPending}>
      {isPending &&
        Array.from({ length: 6 }, (_, i) => <div key={`ghost-${i}`} className={styles['ghost']} />)}
      {!isPending &&
        groupJobs([...jobs.values()]).map(({ group, entries, count }) => (
          <div key={group}>
            <h2 className={styles['group']}>
              {group} <span>{(count + (group === 'Queued' ? hidden(queued) : 0)).toLocaleString('en')}</span>
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
            {rest[group] && <p className={styles['rest']}>{rest[group]}</p>}
          </div>
        ))}
    </section>
  );
}

function JobRow({ job, actions }: { job: Job; actions: TrackActions }) {
  const isRunning = !isFinished(job.status) && job.status !== 'queued';
  const isFailed = job.status === 'failed';
  const title = job.track_title || 'Untitled';
  return (
    <li className={styles['job']} data-bad={isFailed && !isCancelled(job)}>
      <span className={styles['work']}>{jobTypeNames[job.type]}</span>
      {job.track_id === null ? (
        <span className={styles['title']} />
      ) : (
        <button
          type="button"
          className={styles['title']}
          title={title}
          onClick={() => goTo({ track: job.track_id })}
        >
          {title}
        </button>
      )}
      <span className={styles['stage']}>
        {stageText(job)}
        {job.attempt > 1 && !isFinished(job.status) && ` (attempt ${job.attempt} of ${job.max_attempts})`}
      </span>
      <span className={styles['progress']}>
        {isRunning && (
          <>
            <ProgressBar
              percent={job.progress}
              label={job.track_id === null ? jobTypeNames[job.type] : `${jobTypeNames[job.type]} of ${title}`}
            />
            <span>{progressText(job)}</span>
          </>
        )}
      </span>
      <span className={styles['actions']}>
        {!isFinished(job.status) && (
          <Button small icon="close" onClick={() => void actions.cancel(job.id)}>
            Cancel
          </Button>
        )}
        {isFailed && (
          <Button small icon="retry" onClick={() => void actions.retry(job.id)}>
            Retry
          </Button>
        )}
      </span>
    </li>
  );
}

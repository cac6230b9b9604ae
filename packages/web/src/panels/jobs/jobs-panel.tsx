import type { Job } from '@stem-studio/contract/resources/job';
import { useQuery } from '@tanstack/react-query';
import { wordsOf } from '../../client/api-error.ts';
import { isFinished } from '../../client/live-merge.ts';
import { jobsQuery } from '../../client/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { goTo } from '../dashboard/place.state.ts';
import { type TrackActions, useTrackActions } from '../library/track-actions.ts';
import { groupJobs, isCancelled, progressWords, stageWords, workOf } from './job-words.ts';
import styles from './jobs-panel.module.css';

/** So many jobs are shown, newest first. */
const SHOWN = 100;

/** What the service is doing for the user: running, queued, failed and finished jobs. */
export function JobsPanel() {
  const jobs = useQuery(jobsQuery(SHOWN));
  const actions = useTrackActions();
  if (jobs.isError && !jobs.data) {
    return (
      <Notice
        icon="warning"
        title="The jobs could not be loaded"
        isError
        actions={<Button onClick={() => void jobs.refetch()}>Try again</Button>}
      >
        {wordsOf(jobs.error)}
      </Notice>
    );
  }
  if (jobs.data?.data.length === 0) {
    return (
      <Notice icon="check" title="Nothing to do">
        Imports, separations and analyses show here while they run, and for a while after.
      </Notice>
    );
  }
  return (
    <section className={styles['panel']} aria-label="Jobs" aria-busy={jobs.isPending}>
      {jobs.isPending &&
        Array.from({ length: 6 }, (_, i) => <div key={`ghost-${i}`} className={styles['ghost']} />)}
      {groupJobs(jobs.data?.data ?? []).map(({ group, jobs: members }) => (
        <div key={group}>
          <h2 className={styles['group']}>
            {group} <span>{members.length}</span>
          </h2>
          <ul>
            {members.map((job) => (
              <JobRow key={job.id} job={job} actions={actions} />
            ))}
          </ul>
        </div>
      ))}
      {jobs.data && jobs.data.meta.total_count > SHOWN && (
        <p className={styles['rest']}>
          The newest {SHOWN} of {jobs.data.meta.total_count} jobs are shown.
        </p>
      )}
    </section>
  );
}

function JobRow({ job, actions }: { job: Job; actions: TrackActions }) {
  const isRunning = !isFinished(job.status) && job.status !== 'queued';
  const isFailed = job.status === 'failed';
  const title = job.track_title || 'Untitled';
  return (
    <li className={styles['job']} data-bad={isFailed && !isCancelled(job)}>
      <span className={styles['work']}>{workOf[job.type]}</span>
      <button
        type="button"
        className={styles['title']}
        title={title}
        onClick={() => goTo({ track: job.track_id })}
      >
        {title}
      </button>
      <span className={styles['stage']}>
        {stageWords(job)}
        {job.attempt > 1 && !isFinished(job.status) && ` (attempt ${job.attempt} of ${job.max_attempts})`}
      </span>
      <span className={styles['progress']}>
        {isRunning && (
          <>
            <ProgressBar percent={job.progress} label={`${workOf[job.type]} of ${title}`} />
            <span>{progressWords(job)}</span>
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

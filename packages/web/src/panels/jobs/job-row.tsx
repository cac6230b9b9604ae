import type { Job } from '@stem-studio/contract/resources/job';
import { pageTimeMs } from '../../base/page-time.ts';
import { fullMomentText, momentText } from '../../base/time-text.ts';
import { isFinished } from '../../client/live-merge.ts';
import { goTo } from '../../state/route.state.ts';
import type { TrackActions } from '../../state/track-actions.ts';
import { Button } from '../../ui/button.tsx';
import { isCancelled, jobTypeNames, progressText, stageText } from '../../ui/job-text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { tookText } from './job-groups.ts';
import styles from './jobs-panel.module.css';

/** A job in one line: its type, track and state; its progress, or when it ended and how long it took; its buttons. */
export function JobRow({ job, actions }: { job: Job; actions: TrackActions }) {
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
        {job.status === 'queued' && <Moment text="Added" time={job.created_at} />}
        {job.finished_at !== null && <Moment text="" time={job.finished_at} more={tookText(job)} />}
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

/** A time of a job in the zone of the user, with a text before and after it; the tooltip has the date. */
export function Moment({ text, time, more = '' }: { text: string; time: string; more?: string }) {
  const date = new Date(time);
  return (
    <span title={fullMomentText(date)}>
      {text} <time dateTime={time}>{momentText(date, new Date(pageTimeMs()))}</time>
      {more && ` · ${more}`}
    </span>
  );
}

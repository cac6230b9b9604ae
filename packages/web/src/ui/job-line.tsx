import type { TrackActions } from '../state/track-actions.ts';
import { Button, IconButton } from './button.tsx';
import styles from './job-line.module.css';
import { jobTypeNames, progressText, stageText, type TrackJob } from './job-text.ts';
import { ProgressBar } from './progress-bar.tsx';

/** A job in one row of the library: stage in words, percent, time left, and the one thing to do about it. */
export function JobLine({
  job,
  trackTitle,
  actions,
  isInGrid = false,
}: {
  job: TrackJob;
  trackTitle: string;
  actions: Pick<TrackActions, 'cancel' | 'retry'>;
  /** In the library's grid the arrow keys lead from row to row, and Tab leaves it. */
  isInGrid?: boolean;
}) {
  const { state, type } = job;
  const words = stageText(state);
  const isFailed = state.status === 'failed';
  return (
    <span className={styles['line']} data-failed={isFailed}>
      <span className={styles['words']} title={`${jobTypeNames[type]}: ${words}`}>
        <span className={styles['stage']}>{words}</span>
        {!isFailed && (
          <>
            <ProgressBar percent={state.progress} label={`${jobTypeNames[type]} of ${trackTitle}`} />
            <span className={styles['left']}>{progressText(state) || jobTypeNames[type]}</span>
          </>
        )}
      </span>
      {isFailed ? (
        <Button
          small
          icon="retry"
          tabIndex={isInGrid ? -1 : 0}
          onClick={() => void actions.retry(state.job_id)}
        >
          Retry
        </Button>
      ) : (
        <IconButton
          small
          icon="close"
          tabIndex={isInGrid ? -1 : 0}
          label={`Cancel ${jobTypeNames[type].toLowerCase()} of ${trackTitle}`}
          onClick={() => void actions.cancel(state.job_id)}
        />
      )}
    </span>
  );
}

import type { TrackActions } from '../state/track-actions.ts';
import { Button, IconButton } from './button.tsx';
import styles from './job-line.module.css';
import { jobTypeNames, progressText, stageText, type TrackJob } from './job-text.ts';
import { ProgressBar } from './progress-bar.tsx';

/** A job in one line: stage, percent, time left, and a button to cancel or retry it. */
export function JobLine({
  job,
  trackTitle,
  actions,
  isInGrid = false,
}: {
  job: TrackJob;
  trackTitle: string;
  actions: Pick<TrackActions, 'cancel' | 'retry'>;
  /** Within the library's grid, buttons are not in the Tab order. */
  isInGrid?: boolean;
}) {
  const { state, type } = job;
  const stage = stageText(state);
  const isFailed = state.status === 'failed';
  return (
    <span className={styles['line']} data-failed={isFailed} data-row={isInGrid}>
      <span className={styles['text']} title={`${jobTypeNames[type]}: ${stage}`}>
        {/* A row has no space for what a queued job waits for. */}
        <span className={styles['stage']}>{isInGrid && state.status === 'queued' ? 'Queued' : stage}</span>
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

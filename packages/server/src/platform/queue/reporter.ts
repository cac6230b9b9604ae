import type { Context } from '../../context.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { emit } from '../events.ts';
import { type JobChange, updateLeasedJob } from './jobs.store.ts';
import type { JobReport } from './worker.ts';

/** Tells how far an attempt is. */
export interface Reporter {
  readonly report: (change: JobReport) => Promise<void>;
  /** Nothing more is told after this. */
  readonly end: () => Promise<void>;
}

/** At most one change goes out in this time. */
const quietMs = 100;

/**
 * Writes and publishes an attempt's progress. Percent never falls; of many changes within 100 ms the sum goes out,
 * the last one always, at the latest when the 100 ms are over. `lost` is called when the lease is not held any more.
 */
export function createReporter(context: Context, job: JobRow, leaseId: string, lost: () => void): Reporter {
  let told: JobReport = {
    status: job.status as JobReport['status'],
    progress: 0,
    message: '',
    eta_seconds: null,
  };
  let waiting: JobChange = {};
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let hasEnded = false;

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const change = waiting;
    waiting = {};
    if (hasEnded || Object.keys(change).length === 0) return;
    lastMs = context.clock.monotonicMs();
    try {
      const isHeld = await context.db.transaction().execute(async (tx) => {
        const row = await updateLeasedJob(tx, job.id, leaseId, change);
        if (row) await emit(context, tx, 'job.changed', { job: row });
        return row !== null;
      });
      if (!isHeld) lost();
    } catch (error) {
      // The next report says it again; the work itself goes on.
      context.log.warn({ err: error, job_id: job.id }, 'progress could not be written');
    }
  };
  // One write at a time, in order.
  const flush = () => (writing = writing.then(write));

  return {
    report: async (change) => {
      if (hasEnded) return;
      const next: JobReport = { ...told };
      if (change.status !== undefined) next.status = change.status;
      if (change.message !== undefined) next.message = change.message;
      if (change.progress !== undefined) {
        const percent = Math.min(100, Math.max(0, Math.floor(change.progress)));
        next.progress = Math.max(told.progress ?? 0, percent);
      }
      if (change.eta_seconds !== undefined)
        next.eta_seconds = change.eta_seconds === null ? null : Math.max(0, Math.round(change.eta_seconds));
      const isNews =
        next.status !== told.status || next.message !== told.message || next.progress !== told.progress;
      const difference: JobChange = {};
      if (next.status !== told.status) difference.status = next.status;
      if (next.message !== told.message) difference.message = next.message;
      if (next.progress !== told.progress) difference.progress = next.progress;
      // Seconds left alone change with every report: they travel with the percent.
      if (isNews || (next.eta_seconds === null) !== (told.eta_seconds === null))
        difference.eta_seconds = next.eta_seconds ?? null;
      told = { ...next, eta_seconds: 'eta_seconds' in difference ? next.eta_seconds : told.eta_seconds };
      if (Object.keys(difference).length === 0) return;
      waiting = { ...waiting, ...difference };
      const sinceMs = context.clock.monotonicMs() - lastMs;
      if (sinceMs >= quietMs) await flush();
      else timer ??= setTimeout(() => void flush(), quietMs - sinceMs);
    },
    end: async () => {
      hasEnded = true;
      clearTimeout(timer);
      await writing;
    },
  };
}

import type { Context } from '../context.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { emit } from '../events.ts';
import { type JobChange, updateLeasedJob } from './jobs.store.ts';
import type { JobReport } from './worker.ts';

/** Progress reporter of an attempt. */
export interface Reporter {
  readonly report: (change: JobReport) => Promise<void>;
  /** Ends the reporter. Later reports are ignored. */
  readonly end: () => Promise<void>;
}

/** Minimum interval between two stored changes, in ms. */
const intervalMs = 100;

/**
 * Creates a reporter that stores and publishes the progress of an attempt. The percentage never decreases. Changes
 * within 100 ms are merged, and the last one is always published. Calls `lost` when the attempt no longer holds its
 * lease.
 */
export function createReporter(context: Context, job: JobRow, leaseId: string, lost: () => void): Reporter {
  let reported: JobReport = {
    status: job.status as JobReport['status'],
    progress: 0,
    message: '',
    eta_seconds: null,
  };
  let pending: JobChange = {};
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  let hasEnded = false;

  const write = async () => {
    clearTimeout(timer);
    timer = undefined;
    const change = pending;
    pending = {};
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
      // The next report contains the change again; the attempt continues.
      context.log.warn({ err: error, job_id: job.id }, 'progress could not be written');
    }
  };
  // Serialises the writes.
  const flush = () => (writing = writing.then(write));

  return {
    report: async (change) => {
      if (hasEnded) return;
      const next: JobReport = { ...reported };
      if (change.status !== undefined) next.status = change.status;
      if (change.message !== undefined) next.message = change.message;
      if (change.progress !== undefined) {
        const percent = Math.min(100, Math.max(0, Math.floor(change.progress)));
        next.progress = Math.max(reported.progress ?? 0, percent);
      }
      if (change.eta_seconds !== undefined)
        next.eta_seconds = change.eta_seconds === null ? null : Math.max(0, Math.round(change.eta_seconds));
      const hasChanged =
        next.status !== reported.status ||
        next.message !== reported.message ||
        next.progress !== reported.progress;
      const difference: JobChange = {};
      if (next.status !== reported.status) difference.status = next.status;
      if (next.message !== reported.message) difference.message = next.message;
      if (next.progress !== reported.progress) difference.progress = next.progress;
      // The remaining seconds change with every report, so they are sent only with the percentage.
      if (hasChanged || (next.eta_seconds === null) !== (reported.eta_seconds === null))
        difference.eta_seconds = next.eta_seconds ?? null;
      reported = {
        ...next,
        eta_seconds: 'eta_seconds' in difference ? next.eta_seconds : reported.eta_seconds,
      };
      if (Object.keys(difference).length === 0) return;
      pending = { ...pending, ...difference };
      const sinceMs = context.clock.monotonicMs() - lastMs;
      if (sinceMs >= intervalMs) await flush();
      else timer ??= setTimeout(() => void flush(), intervalMs - sinceMs);
    },
    end: async () => {
      hasEnded = true;
      clearTimeout(timer);
      await writing;
    },
  };
}

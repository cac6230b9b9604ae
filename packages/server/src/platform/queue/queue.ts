import type { JobType } from '@stem-studio/contract/states';
import type { Context } from '../../context.ts';
import type { Tx } from '../db/database.ts';
import type { JobRow } from '../db/tables.ts';
import type { Worker } from './worker.ts';

/** Carries jobs to workers. */
export interface Queue {
  /** The worker of a type. Throws when no feature has declared one. */
  workerOf(type: JobType): Worker;
  /** Puts the job in line, in the caller's transaction. */
  send(tx: Tx, job: Pick<JobRow, 'id' | 'type'>, afterSeconds?: number): Promise<void>;
  /** Takes the job out of line, in the caller's transaction. */
  drop(tx: Tx, job: Pick<JobRow, 'id' | 'type'>): Promise<void>;
  /** Begins to work, in this process. */
  start(context: Context): Promise<void>;
  /** Puts back what runs, without using up an attempt, and ends. */
  stop(): Promise<void>;
}

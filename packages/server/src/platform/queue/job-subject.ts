import type { Context } from '../context.ts';
import type { JobRow } from '../db/platform-tables.ts';
import type { Viewer } from '../http/viewer.ts';

declare module '../context.ts' {
  interface Context {
    /** Kinds of rows that jobs can be about. */
    readonly jobSubjects: readonly JobSubjectPolicy[];
  }
}

/** What a job is about: a row of the feature that owns its kind. */
export interface JobSubject {
  /** Name of the kind, such as `track`. */
  readonly kind: string;
  /** Id of the row, a UUID. */
  readonly id: string;
}

/** What a viewer wants to do with a job. `watch` joins its socket topic. */
export type JobAction = 'read' | 'watch' | 'cancel' | 'retry';

/** What the feature that owns a kind of subject says about the jobs of its subjects. */
export interface JobSubjectPolicy {
  /** The kind of {@link JobSubject} that it answers for. */
  readonly kind: string;
  /** Whether the state of the subject permits the action. The owner of the job has been checked before. */
  allows(context: Context, viewer: Viewer, subjectId: string, action: JobAction): Promise<boolean>;
  /** Throws a service error where the work of a failed job cannot be requested again. */
  requireRetryable(context: Context, viewer: Viewer, job: JobRow): Promise<void>;
}

/** The columns of a job that name its subject. */
export type SubjectColumns = Pick<JobRow, 'subject_kind' | 'subject_id'>;

/** Returns the subject of a job, or null for a job without one. */
export function subjectOf({ subject_kind, subject_id }: SubjectColumns): JobSubject | null {
  return subject_kind === null || subject_id === null ? null : { kind: subject_kind, id: subject_id };
}

/** Returns the columns that store a subject: both null for a job without one. */
export function subjectColumns(subject: JobSubject | null): SubjectColumns {
  return { subject_kind: subject?.kind ?? null, subject_id: subject?.id ?? null };
}

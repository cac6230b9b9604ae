import type { Context } from '../context.ts';
import type { JobRow } from '../db/platform-tables.ts';
import type { Viewer } from '../http/viewer.ts';

declare module '../context.ts' {
  interface Context {
    /** Policies of the kinds of rows that jobs refer to. */
    readonly jobSubjects: readonly JobSubjectPolicy[];
  }
}

/** Row that a job refers to, owned by the feature of its kind. */
export interface JobSubject {
  /** Name of the kind, such as `track`. */
  readonly kind: string;
  /** Id of the row, a UUID. */
  readonly id: string;
}

/** Action of a viewer on a job. `watch` joins its socket topic. */
export type JobAction = 'read' | 'watch' | 'cancel' | 'retry';

/** Access policy for jobs whose subject is of one kind, provided by the feature that owns the kind. */
export interface JobSubjectPolicy {
  /** Kind of {@link JobSubject} that the policy covers. */
  readonly kind: string;
  /** Returns whether the state of the subject permits the action. The caller has checked the owner of the job. */
  allows(context: Context, viewer: Viewer, subjectId: string, action: JobAction): Promise<boolean>;
  /** Throws a service error if the work of a failed job cannot be requested again. */
  requireRetryable(context: Context, viewer: Viewer, job: JobRow): Promise<void>;
}

/** Columns of a job that identify its subject. */
export type SubjectColumns = Pick<JobRow, 'subject_kind' | 'subject_id'>;

/** Returns the subject of a job, or null for a job without one. */
export function subjectOf({ subject_kind, subject_id }: SubjectColumns): JobSubject | null {
  return subject_kind === null || subject_id === null ? null : { kind: subject_kind, id: subject_id };
}

/** Returns the columns that store a subject, both null for a job without a subject. */
export function subjectColumns(subject: JobSubject | null): SubjectColumns {
  return { subject_kind: subject?.kind ?? null, subject_id: subject?.id ?? null };
}

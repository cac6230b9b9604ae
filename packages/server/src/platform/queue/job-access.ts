import type { Context } from '../context.ts';
import type { JobRow } from '../db/platform-tables.ts';
import type { Viewer } from '../http/viewer.ts';
import { asReadable, own, type Readable } from '../owned.ts';
import { type JobAction, type JobSubjectPolicy, subjectOf } from './job-subject.ts';
import { findJob } from './jobs.store.ts';

/**
 * Returns the job if the viewer may perform the action on it, else null. The owner may perform every action, an admin
 * every action except `retry`, unless the policy of the job's subject forbids it. For all other users the job does not
 * exist.
 *
 * @spec Job control
 */
export async function findPermittedJob(
  context: Context,
  viewer: Viewer,
  id: string,
  action: JobAction,
): Promise<Readable<JobRow> | null> {
  const row = await findJob(context.db, id);
  const permitted = action === 'retry' ? own(viewer, row) : asReadable(viewer, row);
  const subject = permitted && subjectOf(permitted);
  if (!subject) return permitted;
  const policy = policyOf(context, subject.kind);
  return (await policy.allows(context, viewer, subject.id, action)) ? permitted : null;
}

/** Throws a service error if the work of a failed job cannot be requested again. A job without a subject always can. */
export async function requireRetryable(context: Context, viewer: Viewer, job: JobRow): Promise<void> {
  const subject = subjectOf(job);
  if (subject) await policyOf(context, subject.kind).requireRetryable(context, viewer, job);
}

function policyOf(context: Context, kind: string): JobSubjectPolicy {
  const policy = context.jobSubjects.find((known) => known.kind === kind);
  if (!policy) throw new Error(`no feature owns subjects of the kind "${kind}"`);
  return policy;
}

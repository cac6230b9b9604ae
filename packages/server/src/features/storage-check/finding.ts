/** Kind of mismatch between rows, files and queue. */
export type FindingKind = keyof typeof repairs;

/** One mismatch. */
export interface Finding {
  readonly kind: FindingKind;
  /** Affected object: relative path of a file or folder, or id of a row. */
  readonly subject: string;
  /** Actual and expected state. */
  readonly detail: string;
  /** How and when it is repaired. */
  readonly repair: string;
}

const byRestore = 'Nothing repairs this by itself: restore the file from a backup, or';
const byReport = 'Nothing repairs this by itself: please report it with the output of this command.';

/** Every kind of finding with how and when it is repaired. */
export const repairs = {
  missing_file: `${byRestore} delete the track and import it again (stems: separate again).`,
  wrong_size: `${byRestore} delete the track and import it again (stems: separate again).`,
  unknown_folder:
    'Moved to the quarantine by the running service (every 10 minutes) once it is 15 minutes old: see "studio storage orphans".',
  unknown_file:
    'Left by an interrupted job. Of received audio: moved to the quarantine by the running service once it is 15 minutes old. Of stems: separate again, or delete it.',
  stale_staging:
    'Removed by the running service: at its start and every 10 minutes; of another machine when it is 6 hours old.',
  pending_deletion:
    'Removed by the running service: deleted tracks every minute, folders of deleted accounts every 10 minutes.',
  queue_entry_without_job: 'Skipped and removed when a worker reaches it.',
  job_without_queue_entry: 'Nothing starts this job: cancel it, then retry it.',
  lease_holder_gone:
    'Taken up again by the next free worker, about 10 seconds after a worker or the service runs.',
  job_inconsistent: byReport,
  track_inconsistent: byReport,
  unused_source:
    'Nothing repairs this by itself: the received audio uses disk space and belongs to no track.',
  import_inconsistent: 'Cancel the import on the page.',
  count_inconsistent: byReport,
  grid_inconsistent: byReport,
} as const;

/** Creates a finding with the text of its repair. */
export function finding(kind: FindingKind, subject: string, detail: string): Finding {
  return { kind, subject, detail, repair: repairs[kind] };
}

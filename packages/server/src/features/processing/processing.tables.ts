import type { CloudTaskState } from '@stem-studio/contract/resources/cloud-work';
import type { CloudStemType, Engine, StemType } from '@stem-studio/contract/resources/stem';
import type { Json, MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Stems written by separations. */
export interface StemsTable {
  id: string;
  track_id: string;
  processing_job_id: string;
  stem_type: StemType;
  file_path: string;
  file_size: number;
  duration_ms: number;
  sample_rate: number;
  channels: number;
  peak: number;
  engine: Engine;
  model: string;
  backend: string;
  created_at: Moment;
}

/** Completed separations, also those whose stems are deleted. */
export interface SeparationsTable {
  job_id: string;
  /** Name of the network that made the stems; null for methods without one. */
  network: string | null;
  /** Time at which the stems were deleted; null while they exist. */
  deleted_at: MaybeMoment;
}

/** Time of the next allowed status request at the cloud service, by account. */
export interface CloudAccountsTable {
  account: string;
  next_check_at: Moment;
}

/** Audio that is stored at the cloud service for a day. */
export interface CloudUploadsTable {
  id: string;
  user_id: number;
  audio_source_id: string;
  is_preview: boolean;
  /** Account of the key it was uploaded with: `own:<key id>` or `system:<fingerprint>`. */
  account: string;
  /** The service's id of the upload. */
  source_id: string;
  /** Gain applied to the samples so that they fit into integers. */
  gain: number;
  expires_at: Moment;
  created_at: Moment;
}

/** Tasks at the cloud service, for resuming after a crash and as the ledger of minutes. */
export interface CloudTasksTable {
  /** Idempotency key of the request, a UUID of version 4. */
  id: string;
  account: string;
  /** Null once the user is deleted: the minutes stay spent. */
  user_id: number | null;
  upload_id: string | null;
  job_id: string | null;
  /** Name of the call. */
  split: string;
  stem_types: CloudStemType[];
  minutes: number;
  /** The service's id; null until it has answered. */
  task_id: string | null;
  state: CloudTaskState;
  asked_at: Moment;
  settled_at: MaybeMoment;
  /** End of the claim of the process that is ending the task at the service. */
  cancel_claimed_until: MaybeMoment;
}

/** Results of separations by the cloud engine. */
export interface CloudResultsTable {
  job_id: string;
  residual_db: number | null;
  warnings: Json<string[]>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    stems: StemsTable;
    separations: SeparationsTable;
    cloud_accounts: CloudAccountsTable;
    cloud_uploads: CloudUploadsTable;
    cloud_tasks: CloudTasksTable;
    cloud_results: CloudResultsTable;
  }
}

import type { CloudTaskState } from '@stem-studio/contract/resources/cloud-work';
import type { CloudStemType, Engine, StemType } from '@stem-studio/contract/resources/stem';
import type { Json, MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** A stem that a separation wrote. */
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

/** When the cloud service may next be asked how far the tasks of a key are. */
export interface CloudAccountsTable {
  account: string;
  next_check_at: Moment;
}

/** Sound that lies at the cloud service for a day. */
export interface CloudUploadsTable {
  id: string;
  user_id: number;
  audio_source_id: string;
  is_preview: boolean;
  /** Whose key it was sent with: `own:<key id>` or `system:<fingerprint>`. */
  account: string;
  /** The service's id of it. */
  source_id: string;
  /** What the samples were multiplied by to fit into integers. */
  gain: number;
  expires_at: Moment;
  created_at: Moment;
}

/** Tasks at the cloud service: what is taken up again after a crash, and the ledger of minutes. */
export interface CloudTasksTable {
  /** The idempotency key of the request, a uuid of version 4. */
  id: string;
  account: string;
  /** Null once the user is gone: their minutes are still spent. */
  user_id: number | null;
  upload_id: string | null;
  job_id: string | null;
  /** Which call it is, by name. */
  split: string;
  stem_types: CloudStemType[];
  minutes: number;
  /** The service's id; null until it has answered. */
  task_id: string | null;
  state: CloudTaskState;
  asked_at: Moment;
  settled_at: MaybeMoment;
  /** Somebody asks the service to end it, and has until then. */
  cancel_claimed_until: MaybeMoment;
}

/** What became of a separation by the cloud engine. */
export interface CloudResultsTable {
  job_id: string;
  residual_db: number | null;
  warnings: Json<string[]>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    stems: StemsTable;
    cloud_accounts: CloudAccountsTable;
    cloud_uploads: CloudUploadsTable;
    cloud_tasks: CloudTasksTable;
    cloud_results: CloudResultsTable;
  }
}

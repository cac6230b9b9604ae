import type {
  ApiKeysTable,
  AuditLogTable,
  FailedLogInsTable,
  LogInNoticesTable,
  LoginSessionsTable,
  SetupTokensTable,
  UsersTable,
} from './account-tables.ts';
import type { BeatGridStepsTable, BeatGridsTable } from './beat-grid-tables.ts';
import type {
  CatalogAccountsTable,
  CatalogAttemptsTable,
  CatalogFilesTable,
  CatalogPlaylistsTable,
  CatalogScansTable,
} from './catalog-tables.ts';
import type {
  CloudAccountsTable,
  CloudKeysTable,
  CloudResultsTable,
  CloudTasksTable,
  CloudUploadsTable,
} from './cloud-tables.ts';
import type { CuePlansTable, CuePointsTable } from './cue-tables.ts';
import type { DeckSessionsTable } from './deck-tables.ts';
import type { TranscriptionsTable } from './notes-tables.ts';
import type {
  BusMessagesTable,
  DiskReservationsTable,
  DoomedFoldersTable,
  FirstAnswersTable,
  JobsTable,
  QueueFlowsTable,
  QueueLinesTable,
  RateLimitsTable,
  StorageIdentityTable,
} from './platform-tables.ts';
import type { StorageChangesTable, TrackStorageTable, UserQuotasTable } from './quota-tables.ts';
import type {
  AnalysesTable,
  AudioRenditionsTable,
  AudioSourcesTable,
  ImportsTable,
  SourceCandidatesTable,
  StemsTable,
  TrackCountsTable,
  TracksTable,
} from './track-tables.ts';

/** Every table of the service by name. Their columns stand beside this file, by what they are about. */
export interface Tables {
  jobs: JobsTable;
  queue_lines: QueueLinesTable;
  queue_flows: QueueFlowsTable;
  rate_limits: RateLimitsTable;
  doomed_folders: DoomedFoldersTable;
  storage_identity: StorageIdentityTable;
  bus_messages: BusMessagesTable;
  first_answers: FirstAnswersTable;
  users: UsersTable;
  login_sessions: LoginSessionsTable;
  api_keys: ApiKeysTable;
  failed_log_ins: FailedLogInsTable;
  log_in_notices: LogInNoticesTable;
  setup_tokens: SetupTokensTable;
  audit_log: AuditLogTable;
  catalog_accounts: CatalogAccountsTable;
  catalog_attempts: CatalogAttemptsTable;
  audio_sources: AudioSourcesTable;
  audio_renditions: AudioRenditionsTable;
  tracks: TracksTable;
  track_counts: TrackCountsTable;
  source_candidates: SourceCandidatesTable;
  imports: ImportsTable;
  catalog_files: CatalogFilesTable;
  catalog_playlists: CatalogPlaylistsTable;
  catalog_scans: CatalogScansTable;
  stems: StemsTable;
  cloud_keys: CloudKeysTable;
  cloud_accounts: CloudAccountsTable;
  cloud_uploads: CloudUploadsTable;
  cloud_tasks: CloudTasksTable;
  cloud_results: CloudResultsTable;
  analyses: AnalysesTable;
  beat_grids: BeatGridsTable;
  beat_grid_steps: BeatGridStepsTable;
  cue_points: CuePointsTable;
  cue_plans: CuePlansTable;
  transcriptions: TranscriptionsTable;
  deck_sessions: DeckSessionsTable;
  disk_reservations: DiskReservationsTable;
  user_quotas: UserQuotasTable;
  track_storage: TrackStorageTable;
  storage_changes: StorageChangesTable;
}

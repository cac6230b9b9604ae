import type { CueKind } from '@stem-studio/contract/resources/cue';
import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { Engine, StemType } from '@stem-studio/contract/resources/stem';
import type { Role } from '@stem-studio/contract/roles';
import type { JobStatus, JobType } from '@stem-studio/contract/states';
import type { ColumnType, Generated, Selectable } from 'kysely';
import type { SealedText } from '../crypto/sealed-text.ts';
import type { BeatGridStepsTable, BeatGridsTable } from './beat-grid-tables.ts';
import type {
  CloudAccountsTable,
  CloudKeysTable,
  CloudResultsTable,
  CloudTasksTable,
  CloudUploadsTable,
} from './cloud-tables.ts';
import type { Json, MaybeMoment, Moment } from './column-types.ts';
import type { DeckSessionsTable } from './deck-tables.ts';
import type { TranscriptionsTable } from './notes-tables.ts';

/** Every table of the service by name. A feature declares its own here, in the order of the migrations. */
export interface Tables {
  jobs: JobsTable;
  rate_limits: RateLimitsTable;
  doomed_folders: DoomedFoldersTable;
  bus_messages: BusMessagesTable;
  first_answers: FirstAnswersTable;
  users: UsersTable;
  login_sessions: LoginSessionsTable;
  api_keys: ApiKeysTable;
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
}

/** Background work of every kind: what the queue carries is only the id. */
export interface JobsTable {
  id: string;
  type: JobType;
  user_id: number;
  track_id: string;
  args: Json<Record<string, unknown>>;
  status: JobStatus;
  progress: number;
  message: string;
  eta_seconds: number | null;
  error: string | null;
  /** Attempts begun; one that a graceful stop interrupts is not counted. */
  attempt: number;
  max_attempts: number;
  /** Made anew for each attempt: only who holds it may change the row. Null when nobody works on the job. */
  lease_id: string | null;
  /** The job's present place in the queue; null when it is finished. */
  queue_id: string | null;
  /** What it was asked for together with; null when by itself. */
  batch_id: string | null;
  created_at: Moment;
  started_at: MaybeMoment;
  finished_at: MaybeMoment;
  updated_at: Moment;
}

/** A row of {@link JobsTable}. */
export type JobRow = Selectable<JobsTable>;

/** How many requests a caller has made in the present window. */
export interface RateLimitsTable {
  bucket: string;
  window_start: number;
  count: number;
}

/** Folders of which the rows are gone. */
export interface DoomedFoldersTable {
  path: string;
  created_at: Moment;
}

/** Answers to requests that carried an `Idempotency-Key`. */
export interface FirstAnswersTable {
  user_id: number;
  endpoint: string;
  key: string;
  fingerprint: string;
  claim_id: string;
  claimed_until: Moment;
  /** Null while the first request is under way. */
  status: number | null;
  body: string | null;
  created_at: Moment;
}

/** Messages between processes that are too long for a notification. */
export interface BusMessagesTable {
  id: Generated<number>;
  body: string;
  created_at: Generated<Date>;
}

/** Sound as it was received, once however many users have it. */
export interface AudioSourcesTable {
  id: string;
  /** `catalog:<catalog id>:<sha-256>` or `upload:<sha-256>`. */
  source_key: string;
  codec: string;
  bitrate: number | null;
  sample_rate: number;
  channels: number;
  bits_per_sample: number | null;
  bytes: number;
  duration_ms: number;
  received_path: string;
  /** What is decoded: the received file, or what another program made of it. */
  sound_path: string;
  peaks_path: string;
  cover_path: string | null;
  warnings: Json<string[]>;
  created_at: Moment;
}

/** A source in an asked quality. */
export interface AudioRenditionsTable {
  source_id: string;
  quality: DownloadQuality;
  file_path: string;
  file_size: number;
  created_at: Moment;
}

/** A track of one user. */
export interface TracksTable {
  id: string;
  user_id: number;
  source: 'catalog' | 'upload';
  catalog_id: string | null;
  title: string;
  artist: string;
  album: string;
  album_art_url: string | null;
  catalog_url: string | null;
  genre: string;
  isrc: string | null;
  explicit: boolean;
  duration_ms: number;
  bpm: number | null;
  key: string;
  /** True once the user has said it: an analysis never overwrites that. */
  bpm_edited: boolean;
  key_edited: boolean;
  tags: string[];
  audio_source_id: string | null;
  quality: DownloadQuality | null;
  /** The newest completed full separation. */
  stems_job_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  deleted_at: MaybeMoment;
}

/** Changes of how many live tracks a user has, written by triggers of the tracks. */
export interface TrackCountsTable {
  user_id: number;
  change: number;
}

/** What the download tool found for a track by searching. */
export interface SourceCandidatesTable {
  track_id: string;
  id: string;
  position: number;
  url: string;
  title: string;
  channel: string;
  duration_ms: number | null;
  wanted_ms: number;
  score: number;
  is_chosen: boolean;
  found_at: Moment;
}

/** An album or a playlist on its way into a library. */
export interface ImportsTable {
  id: string;
  user_id: number;
  type: 'album' | 'playlist';
  title: string;
  total: number;
  completed: Generated<number>;
  failed: Generated<number>;
  created_at: Moment;
  cancelled_at: MaybeMoment;
  finished_at: MaybeMoment;
}

/** An audio file of the catalog folder, as its last walk saw it. */
export interface CatalogFilesTable {
  catalog_id: string;
  path: string;
  bytes: number;
  modified_ms: number;
  title: string;
  artist: string;
  album: string;
  album_id: string | null;
  disc_number: number;
  track_number: number;
  genre: string;
  isrc: string | null;
  duration_ms: number;
  has_cover: boolean;
  /** The format that only ffmpeg can read; null for all others. */
  unusable: string | null;
}

/** One line of a playlist file: where it leads below the catalog folder, or null. */
export interface CatalogPlaylistEntry {
  path: string | null;
  title: string;
}

/** A playlist file of the catalog folder. */
export interface CatalogPlaylistsTable {
  playlist_id: string;
  path: string;
  bytes: number;
  modified_ms: number;
  title: string;
  entries: Json<CatalogPlaylistEntry[]>;
}

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

/** What an analysis found, as it was found. */
export interface AnalysesTable {
  job_id: string;
  track_id: string;
  result: Json<Record<string, unknown>>;
  created_at: Moment;
}

/** Places in tracks to jump to, deleted ones too: what was found and deleted is not to be found again. */
export interface CuePointsTable {
  id: string;
  track_id: string;
  kind: CueKind;
  label: string;
  position_ms: number;
  beat: number | null;
  bar: number | null;
  loop_beats: number | null;
  color: string;
  source: 'auto' | 'manual';
  /** 1 for the most useful of all that were found; null for what the newest plan says nothing about. */
  rank: number | null;
  confidence: number | null;
  is_edited: boolean;
  is_promoted: boolean;
  created_at: Moment;
  updated_at: Moment;
  deleted_at: MaybeMoment;
}

/** A row of {@link CuePointsTable}. */
export type CueRow = Selectable<CuePointsTable>;

/** When the cue points of a track were last placed, and why they are few. */
export interface CuePlansTable {
  track_id: string;
  reason: string | null;
  placed_at: Moment;
}

/** Who may come in. */
export interface UsersTable {
  id: Generated<number>;
  /** Trimmed and lower case. */
  email: string;
  /** argon2id in PHC form; null for who comes in by the catalog only. */
  password_hash: ColumnType<string | null, string | null | undefined, string | null>;
  role: Generated<Role>;
  status: Generated<'active' | 'deactivated'>;
  created_at: Moment;
  /** Written at most once a minute. */
  last_active_at: MaybeMoment;
}

/** Browsers that are logged in. */
export interface LoginSessionsTable {
  /** SHA-256 (hex) of the cookie's token. */
  id: string;
  user_id: number;
  user_agent: string;
  created_at: Moment;
  last_seen_at: Moment;
  expires_at: Moment;
}

/** Bearer tokens. */
export interface ApiKeysTable {
  id: string;
  user_id: number;
  name: string;
  /** SHA-256 (hex) of the key, which itself is nowhere. */
  key_hash: string;
  /** The first characters of the key, to tell keys apart by. */
  prefix: string;
  created_at: Moment;
  expires_at: MaybeMoment;
  last_used_at: MaybeMoment;
  revoked_at: MaybeMoment;
}

/** One-time set-up links. */
export interface SetupTokensTable {
  token_hash: string;
  created_at: Moment;
}

/** Rows can be inserted, and nothing else: the database refuses. */
export interface AuditLogTable {
  id: Generated<number>;
  action: string;
  actor_user_id: number | null;
  target_user_id: number | null;
  details: Json<Record<string, unknown>>;
  /** The time of the transaction it was written in. */
  created_at: Generated<Date>;
}

/** Accounts at the web catalog, each linked with one user. */
export interface CatalogAccountsTable {
  id: string;
  user_id: number;
  /** The account's own id at the catalog. */
  account_id: string;
  display_name: string;
  access_token: SealedText;
  access_expires_at: Moment;
  refresh_token: SealedText | null;
  /** The catalog gives no more tokens until its owner signs in there again. */
  needs_sign_in: Generated<boolean>;
  linked_at: Moment;
}

/** Browsers on their way to the web catalog and back. */
export interface CatalogAttemptsTable {
  /** SHA-256 (hex) of what the browser's cookie holds. */
  id: string;
  /** The login that wants to be linked; null where somebody wants to log in. */
  linking_session_id: string | null;
  expires_at: Moment;
}

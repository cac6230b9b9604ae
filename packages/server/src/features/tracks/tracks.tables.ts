import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { Engine, StemType } from '@stem-studio/contract/resources/stem';
import type { Generated } from 'kysely';
import type { Json, MaybeMoment, Moment } from './column-types.ts';

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
  /** All files of it except renditions. */
  stored_bytes: Generated<number>;
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

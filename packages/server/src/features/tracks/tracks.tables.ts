import type { DownloadQuality } from '@stem-studio/contract/resources/download-job';
import type { Generated } from 'kysely';
import type { Json, MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Received audio, stored once for all its users. */
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
  /** Bytes of all its files except renditions. */
  stored_bytes: Generated<number>;
  duration_ms: number;
  received_path: string;
  /** The decodable file: the received file, or what ffmpeg decoded from it. */
  audio_path: string;
  peaks_path: string;
  cover_path: string | null;
  /** Hash of the decoded samples; null for audio received before it was computed. */
  audio_hash: Generated<string | null>;
  warnings: Json<string[]>;
  created_at: Moment;
}

/** A source in a requested quality. */
export interface AudioRenditionsTable {
  source_id: string;
  quality: DownloadQuality;
  file_path: string;
  file_size: number;
  created_at: Moment;
}

/** Tracks, each of one user. */
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
  /** True once the user has set the tempo: an analysis never overwrites it. */
  bpm_edited: boolean;
  key_edited: boolean;
  tags: string[];
  year: Generated<number | null>;
  /** Stars, 0 for none. */
  rating: Generated<number>;
  comment: Generated<string>;
  play_count: Generated<number>;
  last_played_at: MaybeMoment;
  /** Of the newest analysis. */
  loudness_lufs: Generated<number | null>;
  /** Model of the default separation; set by a trigger. */
  separation_model: Generated<string | null>;
  audio_source_id: string | null;
  quality: DownloadQuality | null;
  /** The separation used by default: the newest completed full one, or the one that the user has chosen. */
  stems_job_id: string | null;
  created_at: Moment;
  updated_at: Moment;
  deleted_at: MaybeMoment;
}

/** Bytes charged for a track; written by triggers, except for uploads that are not prepared yet. */
export interface TrackStorageTable {
  track_id: string;
  user_id: number;
  audio_bytes: number;
  stem_bytes: number;
  stem_sets: number;
}

/** Plays of tracks, each of one user. */
export interface PlaysTable {
  id: string;
  user_id: number;
  track_id: string | null;
  title: string;
  artist: string;
  source: 'deck_a' | 'deck_b' | 'player';
  played_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    audio_sources: AudioSourcesTable;
    audio_renditions: AudioRenditionsTable;
    tracks: TracksTable;
    track_storage: TrackStorageTable;
    plays: PlaysTable;
  }
}

import type { Generated } from 'kysely';
import type { SealedText } from '../crypto/sealed-text.ts';
import type { Json, Moment } from './column-types.ts';

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
  /** Why its tags were not read, in words; null where they were. */
  problem: string | null;
}

/** The last scan of the catalog folder, or the one under way: one row, with the id 1. */
export interface CatalogScansTable {
  id: number;
  found: number;
  changed: number;
  read: number;
  failed: number;
  started_at: Moment;
  seen_at: Moment;
  finished_at: Moment | null;
  error: string | null;
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

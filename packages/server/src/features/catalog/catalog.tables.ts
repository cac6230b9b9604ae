import type { Json, Moment } from '../../platform/db/column-types.ts';

/** Audio files of the catalog folder, as of their last scan. */
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
  /** Format that only ffmpeg can read; null for all others. */
  unusable: string | null;
  /** Why its tags were not read; null where they were. */
  problem: string | null;
}

/** The latest scan of the catalog folder, finished or running: one row, with the id 1. */
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

/** One line of a playlist file: its path below the catalog folder, or null. */
export interface CatalogPlaylistEntry {
  path: string | null;
  title: string;
}

/** Playlist files of the catalog folder. */
export interface CatalogPlaylistsTable {
  playlist_id: string;
  path: string;
  bytes: number;
  modified_ms: number;
  title: string;
  entries: Json<CatalogPlaylistEntry[]>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    catalog_files: CatalogFilesTable;
    catalog_scans: CatalogScansTable;
    catalog_playlists: CatalogPlaylistsTable;
  }
}

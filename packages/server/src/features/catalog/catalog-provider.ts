import type {
  CatalogTrack,
  CatalogCollection as CollectionLine,
  SkippedItem,
} from '@stem-studio/contract/resources/catalog';
import type { StagingFile } from '../../platform/files/files.ts';
import type { PersonToken } from './web/person-token.ts';

/** A track of a provider. */
export interface CatalogEntry {
  readonly track: CatalogTrack;
  /** Why its audio cannot be used; null when it can. */
  readonly unusable: string | null;
}

/** An album or a playlist. */
export interface CatalogCollection {
  readonly title: string;
  readonly entries: readonly CatalogEntry[];
  /** Entries of the collection that are not tracks of this catalog. */
  readonly skipped: readonly SkippedItem[];
}

/** A page of search hits. */
export interface CatalogHits {
  readonly entries: readonly CatalogEntry[];
  readonly totalCount: number;
}

/** A page of a list of albums and playlists. */
export interface CollectionList {
  readonly collections: readonly CollectionLine[];
  readonly totalCount: number;
}

/** A cover image with its media type. */
export interface CoverImage {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Abort signal and progress callback (0 to 1) of a provider. */
export interface ReceiveOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Whether a catalog checks for changes before it answers. */
export type CatalogLook = 'fresh' | 'known';

/**
 * Source of tracks: the demo album, the operator's folder, or the web catalog. `find…` returns null for anything the
 * provider does not have; an external failure is thrown as `catalog_error`.
 */
export interface CatalogProvider {
  /** @param look `known`: answers from stored data, for work that has been accepted */
  findTrack(id: string, look?: CatalogLook): Promise<CatalogEntry | null>;
  findAlbum(id: string): Promise<CatalogCollection | null>;
  /** @param person returns a token of the requesting user, for a playlist visible only to its owner */
  findPlaylist(id: string, person?: PersonToken): Promise<CatalogCollection | null>;
  search(query: string, offset: number, limit: number): Promise<CatalogHits>;
  /**
   * Lists albums and playlists that contain all terms; all collections without terms. Null where a catalog
   * cannot list them.
   */
  readonly listCollections:
    | ((terms: readonly string[], offset: number, limit: number) => Promise<CollectionList>)
    | null;
  findCover(id: string): Promise<CoverImage | null>;
  /** Writes the audio of a track into `out`, unchanged. Null where the catalog has no audio of its own. */
  readonly receive: ((id: string, out: StagingFile, options: ReceiveOptions) => Promise<void>) | null;
}

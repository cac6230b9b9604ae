import type {
  CatalogTrack,
  CatalogCollection as CollectionLine,
  SkippedItem,
} from '@stem-studio/contract/resources/catalog';
import type { AsideFile } from '../../platform/files/files.ts';
import type { PersonToken } from './web/person-token.ts';

/** A track as a provider knows it. */
export interface CatalogEntry {
  readonly track: CatalogTrack;
  /** Why its sound cannot be used, in words; null when it can. */
  readonly unusable: string | null;
}

/** An album or a playlist. */
export interface CatalogCollection {
  readonly title: string;
  readonly entries: readonly CatalogEntry[];
  /** What stands in the collection and is no track of this catalog. */
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

/** A picture with its media type. */
export interface CoverPicture {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** How a provider is told to stop, and tells how far it is (0 to 1). */
export interface ReceiveOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (fraction: number) => void;
}

/** Whether a catalog looks for changes before it answers. */
export type CatalogLook = 'fresh' | 'known';

/**
 * Where tracks come from: the demo album, the operator's folder, the web catalog. `find…`
 * answers null for what the provider does not have; an outside failure is thrown as `catalog_error`.
 */
export interface CatalogProvider {
  /** @param look `known`: answers from what is known already, for work that has been accepted */
  findTrack(id: string, look?: CatalogLook): Promise<CatalogEntry | null>;
  findAlbum(id: string): Promise<CatalogCollection | null>;
  /** @param person gives a token of who asks, for a playlist that the catalog shows only to its owner */
  findPlaylist(id: string, person?: PersonToken): Promise<CatalogCollection | null>;
  search(words: string, offset: number, limit: number): Promise<CatalogHits>;
  /** Albums and playlists with every one of these words; all for none. Null where a catalog cannot list them. */
  readonly listCollections:
    | ((words: readonly string[], offset: number, limit: number) => Promise<CollectionList>)
    | null;
  findCover(id: string): Promise<CoverPicture | null>;
  /** Writes the sound of a track into `out`, as the catalog has it. Null where the catalog has no sound of its own. */
  readonly receive: ((id: string, out: AsideFile, options: ReceiveOptions) => Promise<void>) | null;
}

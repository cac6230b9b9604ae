import type { CatalogEntry, CatalogProvider, CoverImage } from '../catalog-provider.ts';
import type { CatalogClient } from './catalog.client.ts';
import * as replies from './catalog-replies.ts';
import { collect, readTrack } from './collect-entries.ts';
import { CoverAddresses } from './cover-addresses.ts';
import { pageSize, readPages } from './read-pages.ts';
import { readPlaylist } from './read-playlist.ts';
import { searchTracks } from './search-tracks.ts';

/** Dependencies of the web catalog. */
export interface WebCatalogOptions {
  readonly client: CatalogClient;
  /** Host of the links to its tracks. */
  readonly host: string;
  /** Fetches the image at an address returned by the catalog; null where there is none. */
  readonly fetchCover: (address: string) => Promise<CoverImage | null>;
}

/** Creates the web catalog. It has metadata of tracks and no audio, which the download tool searches elsewhere. */
export function createWebCatalog({ client, host, fetchCover }: WebCatalogOptions): CatalogProvider {
  const covers = new CoverAddresses();

  function toEntry(track: replies.TrackReply, album?: replies.AlbumHead): CatalogEntry {
    covers.remember(track.id, replies.coverAddressOf(track.album ?? album));
    return { track: replies.toCatalogTrack(track, { host }, album), unusable: null };
  }

  async function findTrack(id: string): Promise<CatalogEntry | null> {
    const target = `/tracks/${id}`;
    const track = await client.ask({ target, schema: replies.trackReply, deadlineMs: client.deadline() });
    return track && toEntry(track);
  }

  return {
    receive: null,
    listCollections: null,
    findTrack,
    async findAlbum(id) {
      const deadlineMs = client.deadline();
      const album = await client.ask({ target: `/albums/${id}`, schema: replies.albumHead, deadlineMs });
      if (!album) return null;
      const list = await readPages(client, `/albums/${id}/tracks?limit=${pageSize}`, { deadlineMs });
      return collect(album.name, list, (entry) => readTrack(entry, (track) => toEntry(track, album)));
    },
    findPlaylist: (id, person) => readPlaylist(client, id, toEntry, person),
    search: (query, offset, limit) => searchTracks(client, query, { offset, limit }, toEntry),
    async findCover(id) {
      if (covers.find(id) === undefined) await findTrack(id).catch(() => null);
      const url = covers.find(id);
      return url === undefined ? null : fetchCover(url);
    },
  };
}

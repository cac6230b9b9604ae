import type { CatalogEntry, CatalogProvider, CoverPicture } from '../catalog-provider.ts';
import type { CatalogClient } from './catalog.client.ts';
import * as replies from './catalog-replies.ts';
import { collect, readTrack } from './collect-entries.ts';
import { PictureAddresses } from './picture-addresses.ts';
import { pageSize, readPages } from './read-pages.ts';
import { readPlaylist } from './read-playlist.ts';
import { searchTracks } from './search-tracks.ts';

/** Dependencies of the web catalog. */
export interface WebCatalogOptions {
  readonly client: CatalogClient;
  /** Host of the links to its tracks. */
  readonly host: string;
  /** Fetches the image at an address returned by the catalog; null where there is none. */
  readonly fetchPicture: (address: string) => Promise<CoverPicture | null>;
}

/** Creates the web catalog. It has metadata of tracks and no audio, which the download tool searches elsewhere. */
export function createWebCatalog({ client, host, fetchPicture }: WebCatalogOptions): CatalogProvider {
  const pictures = new PictureAddresses();

  function toEntry(track: replies.TrackReply, album?: replies.AlbumHead): CatalogEntry {
    pictures.remember(track.id, replies.pictureOf(track.album ?? album));
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
    search: (words, offset, limit) => searchTracks(client, words, { offset, limit }, toEntry),
    async findCover(id) {
      if (pictures.find(id) === undefined) await findTrack(id).catch(() => null);
      const url = pictures.find(id);
      return url === undefined ? null : fetchPicture(url);
    },
  };
}

import type { SkippedItem } from '@stem-studio/contract/resources/catalog';
import { failure } from '../../../platform/errors.ts';
import type { CatalogCollection, CatalogEntry, CatalogProvider, CoverPicture } from '../catalog-provider.ts';
import type { Ask, CatalogClient } from './catalog.client.ts';
import * as replies from './catalog-replies.ts';
import { CatalogForbiddenError, type PersonToken } from './person-token.ts';

/** What a page of an album or playlist holds at most. */
const pageSize = 50;
/** What a page of search hits holds at most, for applications new to the catalog. */
const searchPageSize = 10;
/** The catalog shows no hit beyond this one. */
const lastHit = 1000;
/** No collection that a person made is longer. */
const mostEntries = 20_000;
/** Covers whose address is kept in mind. */
const mostPictures = 20_000;

const playlistForbidden =
  'the web catalog lets this studio read a playlist only with the login of a user who owns it (403): albums and single tracks work';
const linkFirst = 'if it is yours, link your catalog account under Settings, or sign in again there';

/** What the catalog is told about its surroundings. */
export interface WebCatalogOptions {
  readonly client: CatalogClient;
  /** The host of the links it gives to tracks. */
  readonly host: string;
  /** The picture at an address that the catalog named, or null. */
  readonly fetchPicture: (address: string) => Promise<CoverPicture | null>;
}

/** The web catalog. It names tracks and has no sound: that is looked for by the download tool. */
export function createWebCatalog({ client, host, fetchPicture }: WebCatalogOptions): CatalogProvider {
  const pictureUrls = new Map<string, string>();

  function remember(id: string, url: string | null): void {
    if (url === null) return;
    pictureUrls.delete(id);
    pictureUrls.set(id, url);
    const oldest = pictureUrls.keys().next().value;
    if (pictureUrls.size > mostPictures && oldest !== undefined) pictureUrls.delete(oldest);
  }

  function toEntry(track: replies.TrackReply, album?: replies.AlbumHead): CatalogEntry {
    remember(track.id, replies.pictureOf(track.album ?? album));
    return { track: replies.toCatalogTrack(track, { host }, album), unusable: null };
  }

  /** Every entry of a collection, page after page until there is no next one. */
  async function readAll(
    first: string,
    { deadlineMs, forbidden, person }: Pick<Ask<unknown>, 'deadlineMs' | 'forbidden' | 'person'>,
  ) {
    const entries: unknown[] = [];
    const seen = new Set<string>();
    let announced = 0;
    for (let target: string | null = first; target !== null; ) {
      if (seen.has(target))
        throw failure('catalog_error', "the web catalog's pages lead in a circle: nothing was imported");
      seen.add(target);
      if (target !== first && !client.isOwnAddress(target))
        throw failure('catalog_error', 'the web catalog sent us to an address that is not its own');
      const page: replies.PageReply | null = await client.ask({
        target,
        schema: replies.pageReply,
        forbidden,
        person,
        deadlineMs,
      });
      if (page === null)
        throw failure('catalog_error', 'the web catalog lost a page of this list: try again in a while');
      entries.push(...page.items);
      announced = Math.max(announced, page.total ?? 0);
      if (entries.length > mostEntries)
        throw failure('catalog_error', `a list may have at most ${mostEntries} entries; this one has more`);
      target = page.next ?? null;
    }
    const missing = announced - entries.length;
    const skipped: SkippedItem[] =
      missing > 0
        ? [
            {
              title: missing === 1 ? '1 further entry' : `${missing} further entries`,
              reason: `the catalog announced ${announced} entries and delivered ${entries.length}`,
            },
          ]
        : [];
    return { entries, skipped };
  }

  async function findTrack(id: string): Promise<CatalogEntry | null> {
    const track = await client.ask({
      target: `/tracks/${id}`,
      schema: replies.trackReply,
      deadlineMs: client.deadline(),
    });
    return track && toEntry(track);
  }

  /** A playlist as the application sees it, or as the person does whose it may be. */
  async function readPlaylist(
    id: string,
    forbidden: string,
    person?: PersonToken,
  ): Promise<CatalogCollection | null> {
    const ask = { forbidden, person, deadlineMs: client.deadline() };
    const head = await client.ask({ target: `/playlists/${id}`, schema: replies.playlistHead, ...ask });
    if (!head) return null;
    const list = await readAll(`/playlists/${id}/items?limit=${pageSize}`, ask);
    return collect(head.name, list, (raw) => {
      const entry = replies.playlistEntry.safeParse(raw);
      if (!entry.success) return { title: '', reason: 'the catalog describes it in an unknown form' };
      const { item, track, is_local } = entry.data;
      const thing = item ?? track ?? null;
      if (thing === null) return { title: '', reason: 'is no longer in the catalog' };
      return readTrack(thing, toEntry, is_local === true);
    });
  }

  return {
    receive: null,
    findTrack,

    async findAlbum(id) {
      const deadlineMs = client.deadline();
      const album = await client.ask({ target: `/albums/${id}`, schema: replies.albumHead, deadlineMs });
      if (!album) return null;
      const list = await readAll(`/albums/${id}/tracks?limit=${pageSize}`, { deadlineMs });
      return collect(album.name, list, (entry) => readTrack(entry, (track) => toEntry(track, album)));
    },

    async findPlaylist(id, person) {
      try {
        const found = await readPlaylist(id, playlistForbidden);
        // What is private is not there for the application.
        return (
          found ?? (person && (await person(null)) ? await readPlaylist(id, playlistForbidden, person) : null)
        );
      } catch (error) {
        if (!(error instanceof CatalogForbiddenError)) throw error;
        if (!person || (await person(null)) === null)
          throw failure('catalog_error', `${error.message}; ${linkFirst}`);
        return await readPlaylist(id, playlistForbidden, person);
      }
    },

    async search(words, offset, limit) {
      const deadlineMs = client.deadline();
      const entries: CatalogEntry[] = [];
      let totalCount = 0;
      // Even where no hit is wanted, how many there are decides what the pages are called.
      for (let at = offset; at < lastHit && (at === offset || entries.length < limit); ) {
        const wanted = Math.max(1, Math.min(searchPageSize, limit - entries.length, lastHit - at));
        const query = new URLSearchParams({ q: words, type: 'track', limit: `${wanted}`, offset: `${at}` });
        const reply = await client.ask({
          target: `/search?${query.toString()}`,
          schema: replies.searchReply,
          deadlineMs,
        });
        const page = reply?.tracks;
        totalCount = Math.min(lastHit, page?.total ?? 0);
        for (const item of page?.items.slice(0, wanted) ?? []) {
          const track = replies.trackReply.safeParse(item);
          if (track.success && entries.length < limit) entries.push(toEntry(track.data));
        }
        at += wanted;
        if (at >= totalCount) break;
      }
      return { entries, totalCount };
    },

    listCollections: null,

    async findCover(id) {
      if (!pictureUrls.has(id)) await findTrack(id).catch(() => null);
      const url = pictureUrls.get(id);
      return url === undefined ? null : fetchPicture(url);
    },
  };
}

function readTrack(
  raw: unknown,
  toEntry: (track: replies.TrackReply) => CatalogEntry,
  isLocal = false,
): CatalogEntry | SkippedItem {
  const known = replies.anyEntry.safeParse(raw);
  const title = known.success ? known.data.name : '';
  if (isLocal || (known.success && known.data.is_local === true))
    return { title, reason: "is a file on somebody's own device, not in the catalog" };
  if (known.success && known.data.type === 'episode') return { title, reason: 'is an episode, not a song' };
  const track = replies.trackReply.safeParse(raw);
  return track.success
    ? toEntry(track.data)
    : { title, reason: 'the catalog describes it in an unknown form' };
}

function collect(
  title: string,
  list: { readonly entries: readonly unknown[]; readonly skipped: readonly SkippedItem[] },
  read: (entry: unknown) => CatalogEntry | SkippedItem,
): CatalogCollection {
  const entries: CatalogEntry[] = [];
  const skipped: SkippedItem[] = [];
  for (const raw of list.entries) {
    const made = read(raw);
    if ('track' in made) entries.push(made);
    else skipped.push(made);
  }
  return { title, entries, skipped: [...skipped, ...list.skipped] };
}

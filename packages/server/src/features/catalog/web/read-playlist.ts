import { failure } from '../../../platform/errors.ts';
import type { CatalogCollection, CatalogEntry } from '../catalog-provider.ts';
import type { CatalogClient } from './catalog.client.ts';
import * as replies from './catalog-replies.ts';
import { collect, readTrack } from './collect-entries.ts';
import { CatalogForbiddenError, type PersonToken } from './person-token.ts';
import { pageSize, readPages } from './read-pages.ts';

type ToEntry = (track: replies.TrackReply) => CatalogEntry;

const playlistForbidden =
  'the web catalog lets this studio read a playlist only with the login of a user who owns it (403): albums and single tracks work';
const linkFirst = 'if it is yours, link your catalog account under Settings, or sign in again there';

/**
 * Reads a playlist with the application's token, and with the user's where the application has no access. Null where
 * the catalog has no such playlist.
 *
 * @throws ServiceError `catalog_error` where it is forbidden and the user has linked no account
 */
export async function readPlaylist(
  client: CatalogClient,
  id: string,
  toEntry: ToEntry,
  person?: PersonToken,
): Promise<CatalogCollection | null> {
  const read = (token?: PersonToken) => readAs(client, id, toEntry, token);
  try {
    // The catalog reports a private playlist as missing to the application.
    return (await read()) ?? (person && (await person(null)) ? await read(person) : null);
  } catch (error) {
    if (!(error instanceof CatalogForbiddenError)) throw error;
    if (!person || (await person(null)) === null)
      throw failure('catalog_error', `${error.message}; ${linkFirst}`);
    return await read(person);
  }
}

async function readAs(
  client: CatalogClient,
  id: string,
  toEntry: ToEntry,
  person?: PersonToken,
): Promise<CatalogCollection | null> {
  const ask = { forbidden: playlistForbidden, person, deadlineMs: client.deadline() };
  const head = await client.ask({ target: `/playlists/${id}`, schema: replies.playlistHead, ...ask });
  if (!head) return null;
  const list = await readPages(client, `/playlists/${id}/items?limit=${pageSize}`, ask);
  return collect(head.name, list, (raw) => {
    const entry = replies.playlistEntry.safeParse(raw);
    if (!entry.success) return { title: '', reason: 'the catalog describes it in an unknown form' };
    const { item, track, is_local } = entry.data;
    const thing = item ?? track ?? null;
    if (thing === null) return { title: '', reason: 'is no longer in the catalog' };
    return readTrack(thing, toEntry, is_local === true);
  });
}

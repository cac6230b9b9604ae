import { basename } from 'node:path';
import type { Db } from '../../../platform/db/database.ts';
import * as store from '../catalog.store.ts';
import type { CollectionList } from '../catalog-provider.ts';
import { collectionOf, wholeFolderId } from './folder-entries.ts';

/**
 * Lists the playlist of the whole folder, then its albums and playlists, if they contain all search terms.
 *
 * @param root path of the folder
 * @param terms search terms; all collections match an empty list
 */
export async function listFolderCollections(
  db: Db,
  root: string,
  terms: readonly string[],
  offset: number,
  limit: number,
): Promise<CollectionList> {
  const folder = collectionOf({
    type: 'playlist',
    id: wholeFolderId,
    title: basename(root),
    artist: '',
    track_count: await store.countFiles(db),
    cover_of: null,
  });
  const title = folder.title.toLowerCase();
  const isFound = folder.track_count > 0 && terms.every((term) => title.includes(term.toLowerCase()));
  const whole = isFound ? [folder] : [];
  const first = whole.slice(offset, offset + limit);
  const skip = Math.max(0, offset - whole.length);
  const { rows, totalCount } = await store.listCollections(db, terms, skip, limit - first.length);
  return { collections: [...first, ...rows.map(collectionOf)], totalCount: whole.length + totalCount };
}

import type { Context } from '../../context.ts';
import { findCover, readTags, showCatalogTrack } from '../catalog/index.ts';
import type { DownloadArgs } from './download-args.ts';
import type { RenditionTags } from './write-tags.ts';

/** The picture of a track: the catalog's own, else the one inside the received file. */
export async function findPicture(
  context: Context,
  { source }: DownloadArgs,
  receivedPath: string,
): Promise<RenditionTags['cover']> {
  const own = source.kind !== 'upload' ? await findCover(context, source.catalog_id) : null;
  return own ?? (await readTags(receivedPath, '')).cover;
}

/**
 * The words that go into a rendition: those of our own catalogs, else those that the received file has about itself.
 * Never those of the track, which its user may have changed: a rendition is shared by all who have the same sound.
 */
export async function findWords(
  context: Context,
  { source }: DownloadArgs,
  receivedPath: string,
): Promise<Pick<RenditionTags, 'title' | 'artist' | 'album' | 'genre'>> {
  // What has left the catalog since is known by its file.
  const listed =
    source.kind === 'catalog' ? await showCatalogTrack(context, source.catalog_id).catch(() => null) : null;
  const { title, artist, album, genre } = listed ?? (await readTags(receivedPath, null));
  return { title, artist, album, genre };
}

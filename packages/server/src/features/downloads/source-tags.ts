import type { Context } from '../../platform/context.ts';
import { fileAt, findCover, inspectTags, showCatalogTrack, tagWarning } from '../catalog/index.ts';
import { findStoredCover } from '../tracks/index.ts';
import type { DownloadArgs } from './download-args.ts';
import type { RenditionTags } from './write-tags.ts';

/** Metadata written into the renditions of received audio. */
export interface SourceTags {
  readonly tags: Omit<RenditionTags, 'isrc'>;
  /** Why the tags of the file were not used; null where they were, or are not needed. */
  readonly warning: string | null;
}

/**
 * Returns the cover and the tags of received audio. They come from our own catalogs, otherwise from the file. Never
 * uses those of the track, which its user may have edited: a rendition is shared by all users of the same audio.
 */
export async function findSourceTags(
  context: Context,
  { source }: DownloadArgs,
  receivedPath: string,
  signal: AbortSignal,
): Promise<SourceTags> {
  const ownCover = source.kind !== 'upload' ? await coverOf(context, source.catalog_id) : null;
  // A track that has left the catalog is described by its file.
  const listed =
    source.kind === 'catalog'
      ? await showCatalogTrack(context, source.catalog_id, 'known').catch(() => null)
      : null;
  const request = { file: fileAt(receivedPath), name: null, withCover: true, withLength: false };
  const embedded = ownCover && listed ? null : await inspectTags(request, signal);
  const { title, artist, album, genre } = listed ?? embedded?.tags ?? emptyTexts;
  return {
    tags: { title, artist, album, genre, cover: ownCover ?? embedded?.tags.cover ?? null },
    warning: tagWarning(embedded?.problem ?? null),
  };
}

/** Returns the cover of a catalog track; the one stored with its earlier audio where the catalog has none now. */
async function coverOf(context: Context, catalogId: string): Promise<RenditionTags['cover']> {
  const cover = await findCover(context, catalogId);
  if (cover) return cover;
  const path = await findStoredCover(context.db, catalogId);
  if (path === null || !(await context.files.stat(path))) return null;
  const parts: Uint8Array[] = [];
  for await (const part of context.files.read(path)) parts.push(part);
  return { bytes: Buffer.concat(parts), mediaType: `image/${path.split('.').at(-1)}` };
}

const emptyTexts = { title: '', artist: '', album: '', genre: '' };

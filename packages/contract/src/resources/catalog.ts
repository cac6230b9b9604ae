import { z } from 'zod';
import { catalogId } from '../ids.ts';
import { trackFields } from './track.ts';

/** Types of resources that a catalog link can refer to. */
export const catalogType = z.enum(['track', 'album', 'playlist']);
/** Type of a resource that a catalog link can refer to. */
export type CatalogType = z.infer<typeof catalogType>;

/** Track as described by a catalog: the descriptive fields without an `id`. */
export const catalogTrack = trackFields.extend({ catalog_id: catalogId, catalog_url: z.string() });
/** Track as described by a catalog. */
export type CatalogTrack = z.infer<typeof catalogTrack>;

/** Entry of an album or playlist that cannot be imported, with the reason. */
export const skippedItem = z.object({ title: z.string(), reason: z.string() });
/** Entry of an album or playlist that cannot be imported, with the reason. */
export type SkippedItem = z.infer<typeof skippedItem>;

/** Album or playlist in a list of collections; `catalog_url` imports it. */
export const catalogCollection = z.object({
  type: catalogType.exclude(['track']),
  title: z.string(),
  /** Artist of the album; empty for playlists and for albums of several artists. */
  artist: z.string(),
  track_count: z.int().nonnegative(),
  album_art_url: z.string().nullable(),
  catalog_url: z.string(),
});
/** Album or playlist in a list of collections. */
export type CatalogCollection = z.infer<typeof catalogCollection>;

/** Resource that a catalog link refers to. */
export const catalogItem = z.discriminatedUnion('type', [
  z.object({ type: z.literal('track'), track: catalogTrack }),
  z.object({
    type: z.literal('album'),
    title: z.string(),
    tracks: z.array(catalogTrack),
    skipped: z.array(skippedItem),
  }),
  z.object({
    type: z.literal('playlist'),
    title: z.string(),
    tracks: z.array(catalogTrack),
    skipped: z.array(skippedItem),
  }),
]);
/** Resource that a catalog link refers to. */
export type CatalogItem = z.infer<typeof catalogItem>;

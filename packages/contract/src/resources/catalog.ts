import { z } from 'zod';
import { catalogId } from '../ids.ts';
import { trackFields } from './track.ts';

/** Things a catalog link can name. */
export const catalogType = z.enum(['track', 'album', 'playlist']);
/** Things a catalog link can name. */
export type CatalogType = z.infer<typeof catalogType>;

/** A track as a catalog describes it: a track's fields without an `id` of ours. */
export const catalogTrack = trackFields.extend({ catalog_id: catalogId, catalog_url: z.string() });
/** A track as a catalog describes it. */
export type CatalogTrack = z.infer<typeof catalogTrack>;

/** Something in an album or playlist that cannot be imported, and why. */
export const skippedItem = z.object({ title: z.string(), reason: z.string() });
/** Something in an album or playlist that cannot be imported, and why. */
export type SkippedItem = z.infer<typeof skippedItem>;

/** An album or a playlist as a list of them shows it; `catalog_url` imports it. */
export const catalogCollection = z.object({
  type: catalogType.exclude(['track']),
  title: z.string(),
  /** Whose album it is; empty for playlists, and for albums of several. */
  artist: z.string(),
  track_count: z.int().nonnegative(),
  album_art_url: z.string().nullable(),
  catalog_url: z.string(),
});
/** An album or a playlist as a list of them shows it. */
export type CatalogCollection = z.infer<typeof catalogCollection>;

/** What a link led to. */
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
/** What a link led to. */
export type CatalogItem = z.infer<typeof catalogItem>;

import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';
import { z } from 'zod';
import { coverUrl } from '../cover-url.ts';

/** Maximum length of a stored title, artist or album. */
const longestText = 300;

const text = z
  .string()
  .nullish()
  .transform((value) =>
    (value ?? '')
      .replace(/\p{Cc}+/gu, ' ')
      .trim()
      .slice(0, longestText),
  );

const webId = z.string().regex(/^[0-9A-Za-z]{22}$/);

const images = z
  .array(z.object({ url: z.string().max(2048), width: z.number().nullish() }))
  .nullish()
  .transform((list) => list ?? []);

/** Album fields of a track, and the head of an album itself. */
export const albumHead = z.object({ name: text, images });
/** Album fields of a track, and the head of an album itself. */
export type AlbumHead = z.infer<typeof albumHead>;

/** A track; without album fields inside an album's list. */
export const trackReply = z.object({
  id: webId,
  name: text,
  artists: z.array(z.object({ name: text })).default([]),
  duration_ms: z.number().int().min(0).max(86_400_000),
  explicit: z.boolean().default(false),
  album: albumHead.nullish(),
  external_ids: z.object({ isrc: text }).nullish(),
});
/** A track. */
export type TrackReply = z.infer<typeof trackReply>;

/** A page of any list. Each entry is parsed separately, so that an invalid one does not affect the others. */
export const pageReply = z.object({
  items: z.array(z.unknown()).max(1000),
  next: z.string().max(4096).nullish(),
  total: z.number().int().min(0).nullish(),
});

/** A page of any list. */
export type PageReply = z.infer<typeof pageReply>;

/** Head of a playlist. */
export const playlistHead = z.object({ name: text });

/** A page of search hits. */
export const searchReply = z.object({ tracks: pageReply });

/** An entry of a playlist: under `item`, in older replies under `track`. */
export const playlistEntry = z.object({
  is_local: z.boolean().nullish(),
  item: z.unknown().optional(),
  track: z.unknown().optional(),
});

/** Fields of an entry that is not a track. */
export const anyEntry = z.object({ type: z.string().nullish(), name: text, is_local: z.boolean().nullish() });

/** Converts a reply to a track of the studio. `album` replaces the missing album of tracks in an album's list. */
export function toCatalogTrack(track: TrackReply, names: { host: string }, album?: AlbumHead): CatalogTrack {
  return {
    catalog_id: track.id,
    title: track.name || 'Untitled',
    artist: track.artists
      .map(({ name }) => name)
      .filter(Boolean)
      .join(', ')
      .slice(0, longestText),
    album: (track.album ?? album)?.name ?? '',
    album_art_url: coverAddressOf(track.album ?? album) === null ? null : coverUrl(track.id),
    duration: Math.round(track.duration_ms / 1000),
    duration_ms: track.duration_ms,
    catalog_url: `https://${names.host}/track/${track.id}`,
    // The catalog has genres of artists only.
    genre: '',
    isrc: track.external_ids?.isrc || null,
    explicit: track.explicit,
  };
}

/**
 * Returns the address of the smallest image of at least 300 pixels, otherwise of the first one. Null where there is
 * none.
 */
export function coverAddressOf(album: AlbumHead | null | undefined): string | null {
  const enough = (album?.images ?? [])
    .filter(({ width }) => (width ?? 0) >= 300)
    .toSorted((a, b) => (a.width ?? 0) - (b.width ?? 0));
  return (enough[0] ?? album?.images[0])?.url ?? null;
}

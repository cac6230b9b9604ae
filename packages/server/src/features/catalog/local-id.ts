import { createHash } from 'node:crypto';
import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';

/**
 * The local catalog's id of something: the first 132 bits of a SHA-256 over its kind and name, in base64url, 22
 * characters. The same path or album name gives the same id on every machine.
 */
export function localId(kind: 'track' | 'album' | 'playlist', name: string): string {
  return createHash('sha256')
    .update(`${kind}\0${name.normalize('NFC')}`)
    .digest('base64url')
    .slice(0, 22);
}

/** The link of something in the local catalog. */
export function localLink(kind: 'track' | 'album' | 'playlist', id: string): string {
  return `catalog:${kind}:${id}`;
}

/** Whether the catalog of this track has its sound too, as the studio's own do; for others it is looked for. */
export function hasOwnSound(track: Pick<CatalogTrack, 'catalog_url'>): boolean {
  return track.catalog_url.startsWith('catalog:');
}

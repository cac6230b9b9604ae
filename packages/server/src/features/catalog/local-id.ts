import { createHash } from 'node:crypto';
import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';

/**
 * Returns the id of an item of a local catalog. It is the first 132 bits of a SHA-256 over its kind and name, in
 * base64url, 22 characters. The same path or album name gives the same id on every machine.
 */
export function localId(kind: 'track' | 'album' | 'playlist', name: string): string {
  return createHash('sha256')
    .update(`${kind}\0${name.normalize('NFC')}`)
    .digest('base64url')
    .slice(0, 22);
}

/** Returns the link to an item of a local catalog. */
export function localLink(kind: 'track' | 'album' | 'playlist', id: string): string {
  return `catalog:${kind}:${id}`;
}

/**
 * Returns whether the track's catalog also has its audio, as the studio's own catalogs do. The audio of others is
 * searched elsewhere.
 */
export function hasOwnAudio(track: Pick<CatalogTrack, 'catalog_url'>): boolean {
  return track.catalog_url.startsWith('catalog:');
}

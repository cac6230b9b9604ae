const prefix = '/catalog/covers/';

/** Returns the URL of the cover of a catalog track. */
export function coverUrl(catalogId: string): string {
  return prefix + catalogId;
}

/** Returns the id of the catalog track whose cover has this URL, or undefined for another URL. */
export function catalogIdOfCover(url: string): string | undefined {
  return url.startsWith(prefix) ? url.slice(prefix.length) : undefined;
}

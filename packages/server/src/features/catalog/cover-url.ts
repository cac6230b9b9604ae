/** Where the cover of a catalog track is served. */
export function coverUrl(catalogId: string): string {
  return `/catalog/covers/${catalogId}`;
}

/** Returns the URL of the cover of a catalog track. */
export function coverUrl(catalogId: string): string {
  return `/catalog/covers/${catalogId}`;
}

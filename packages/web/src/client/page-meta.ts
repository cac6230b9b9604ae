/** Names of the values that the service writes into the head of the page. */
type MetaName = 'csrf-token' | 'demo-album-url' | 'catalogs' | 'login-session' | 'login-email' | 'page-copy';

/** Returns a value from the head of the page, or an empty string. */
export function pageMeta(name: MetaName): string {
  return metaOf(document, name)?.content ?? '';
}

/** Returns the meta element of a document by its name, or null. */
export function metaOf(page: Document, name: MetaName): HTMLMetaElement | null {
  return page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
}

/** What the service writes into the head of the page. */
type MetaName = 'csrf-token' | 'demo-album-url' | 'login-session';

/** What the service wrote into the page's head under `name`; the empty string where it wrote nothing. */
export function pageMeta(name: MetaName): string {
  return metaOf(document, name)?.content ?? '';
}

/** The element of a page's head that says what is called `name`, or null. */
export function metaOf(page: Document, name: MetaName): HTMLMetaElement | null {
  return page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
}

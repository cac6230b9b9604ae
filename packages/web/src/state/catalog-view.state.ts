import { createStore } from 'zustand/vanilla';

/** Dialog of the catalog: the browser with its search, or the songs that a link leads to. */
export type CatalogView =
  | { readonly kind: 'browse'; readonly query: string }
  | { readonly kind: 'songs'; readonly url: string };

/** The open dialog of the catalog, or null. */
export const catalogView = createStore<{ readonly view: CatalogView | null }>(() => ({ view: null }));

/** Opens the catalog browser with a search; with an empty one it lists all albums and playlists. */
export function browseCatalog(query = ''): void {
  catalogView.setState({ view: { kind: 'browse', query } });
}

/** Opens the list of the songs that a catalog link leads to. */
export function showCatalogSongs(url: string): void {
  catalogView.setState({ view: { kind: 'songs', url } });
}

/** Closes the dialog of the catalog. */
export function closeCatalog(): void {
  catalogView.setState({ view: null });
}

import { catalogView, closeCatalog } from '../../state/catalog-view.state.ts';
import { useStore } from '../../ui/use-store.ts';
import { CatalogDialog } from './catalog-dialog.tsx';
import { SongsDialog } from './songs-dialog.tsx';

/** The open dialog of the catalog: its browser, or the songs of a link. */
export function CatalogDialogs() {
  const view = useStore(catalogView, (state) => state.view);
  if (view === null) return null;
  if (view.kind === 'browse') return <CatalogDialog query={view.query} onClose={closeCatalog} />;
  return <SongsDialog key={view.url} url={view.url} onClose={closeCatalog} />;
}

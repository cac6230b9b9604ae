import { Suspense } from 'react';
import { sidebar } from '../../state/sidebar.state.ts';
import { lazy } from '../../ui/lazy.ts';
import { useHasDrawer } from '../../ui/use-has-drawer.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './sidebar.module.css';
import { SourceTree } from './source-tree.tsx';

// Loaded when it opens: the start of the page has no dialogs.
const SidebarDrawer = lazy(() => import('./sidebar-drawer.tsx').then((m) => ({ default: m.SidebarDrawer })));
const CrateDialog = lazy(() => import('./crate-dialog.tsx').then((m) => ({ default: m.CrateDialog })));

/** Lists of the library: all tracks, those added lately, the history and the crates; on a narrow page a drawer. */
export function Sidebar({ isShown }: { isShown: boolean }) {
  const hasDrawer = useHasDrawer();
  const { isOpen, draft } = useStore(sidebar, (state) => state);
  return (
    <>
      {isShown && !hasDrawer && (
        <nav className={styles['sidebar']} aria-label="Lists">
          <SourceTree />
        </nav>
      )}
      {isShown && hasDrawer && isOpen && (
        <Suspense fallback={null}>
          <SidebarDrawer />
        </Suspense>
      )}
      {draft && (
        <Suspense fallback={null}>
          <CrateDialog draft={draft} />
        </Suspense>
      )}
    </>
  );
}

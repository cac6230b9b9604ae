import { Dialog } from '@base-ui/react/dialog';
import { lazy, Suspense } from 'react';
import { openSidebar, sidebar } from '../../state/sidebar.state.ts';
import { useHasDrawer } from '../../ui/use-has-drawer.ts';
import { useStore } from '../../ui/use-store.ts';
import styles from './sidebar.module.css';
import { SourceTree } from './source-tree.tsx';

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
      {isShown && hasDrawer && (
        <Dialog.Root open={isOpen} onOpenChange={openSidebar}>
          <Dialog.Portal>
            <Dialog.Backdrop className={styles['veil']} />
            <Dialog.Popup className={styles['drawer']} aria-label="Lists">
              <SourceTree onOpened={() => openSidebar(false)} />
            </Dialog.Popup>
          </Dialog.Portal>
        </Dialog.Root>
      )}
      {draft && (
        <Suspense fallback={null}>
          <CrateDialog draft={draft} />
        </Suspense>
      )}
    </>
  );
}

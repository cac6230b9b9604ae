import { Dialog } from '@base-ui/react/dialog';
import { openSidebar } from '../../state/sidebar.state.ts';
import styles from './sidebar.module.css';
import { SourceTree } from './source-tree.tsx';

/** The open sidebar of a narrow page. */
export function SidebarDrawer() {
  return (
    <Dialog.Root open onOpenChange={openSidebar}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles['veil']} />
        <Dialog.Popup className={styles['drawer']} aria-label="Lists">
          <SourceTree onOpened={() => openSidebar(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

import { Menu } from '@base-ui/react/menu';
import type { Crate } from '@stem-studio/contract/resources/crate';
import { useQueryClient } from '@tanstack/react-query';
import { removeCrate } from '../../state/crate-actions.ts';
import { draftCrate } from '../../state/sidebar.state.ts';
import menuStyles from '../../ui/menu.module.css';
import { OfflineNote, useIsOffline } from '../../ui/offline-note.tsx';

/** Context menu of a crate. */
export function CrateMenu({
  crate,
  anchor,
  count,
  onClose,
  onRename,
  onMove,
}: {
  crate: Crate;
  anchor: Element;
  /** Number of crates. */
  count: number;
  onClose: () => void;
  onRename: () => void;
  onMove: (position: number) => void;
}) {
  const client = useQueryClient();
  const isOffline = useIsOffline();
  const item = menuStyles['item'];
  return (
    <Menu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} anchor={anchor} align="start" sideOffset={4}>
          <Menu.Popup
            className={menuStyles['popup']}
            aria-label={`Actions for ${crate.name}`}
            finalFocus={false}
          >
            <OfflineNote />
            <Menu.Item className={item} disabled={isOffline} onClick={onRename}>
              Rename <kbd>F2</kbd>
            </Menu.Item>
            {crate.query !== null && (
              <Menu.Item className={item} onClick={() => draftCrate({ kind: 'edit', crate })}>
                Edit search
              </Menu.Item>
            )}
            <Menu.Item
              className={item}
              disabled={isOffline || crate.position === 0}
              onClick={() => onMove(crate.position - 1)}
            >
              Move up <kbd>Alt ↑</kbd>
            </Menu.Item>
            <Menu.Item
              className={item}
              disabled={isOffline || crate.position === count - 1}
              onClick={() => onMove(crate.position + 1)}
            >
              Move down <kbd>Alt ↓</kbd>
            </Menu.Item>
            <Menu.Separator className={menuStyles['separator']} />
            <Menu.Item
              className={item}
              data-danger
              disabled={isOffline}
              onClick={() => void removeCrate(client, crate)}
            >
              Delete <kbd>Del</kbd>
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

import { Menu } from '@base-ui/react/menu';
import { useRef } from 'react';
import { pageMeta } from '../client/page-meta.ts';
import { goTo } from '../state/route.state.ts';
import menuStyles from '../ui/menu.module.css';
import { OfflineNote, useIsOffline } from '../ui/offline-note.tsx';

/** Account menu: settings and log out. Log out is a form, as on the pages without JavaScript. */
export function UserMenu({
  email,
  isAdmin,
  anchor,
  onClose,
}: {
  email: string;
  isAdmin: boolean;
  anchor: Element;
  onClose: () => void;
}) {
  const isOffline = useIsOffline();
  const form = useRef<HTMLFormElement>(null);
  return (
    <>
      <form ref={form} method="post" action="/users/log-out" hidden>
        <input type="hidden" name="_method" value="DELETE" />
        <input type="hidden" name="_csrf_token" value={pageMeta('csrf-token')} />
      </form>
      <Menu.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
        <Menu.Portal>
          <Menu.Positioner className={menuStyles['positioner']} anchor={anchor} align="end" sideOffset={4}>
            <Menu.Popup className={menuStyles['popup']} aria-label="Account">
              <p className={menuStyles['note']}>{email}</p>
              <OfflineNote />
              <Menu.Separator className={menuStyles['separator']} />
              {!isOffline && (
                <Menu.LinkItem className={menuStyles['item']} href="/users/settings">
                  Settings
                </Menu.LinkItem>
              )}
              <Menu.Item className={menuStyles['item']} onClick={() => goTo({ tab: 'trash', isTall: false })}>
                Trash
              </Menu.Item>
              {isAdmin && (
                <Menu.Item
                  className={menuStyles['item']}
                  onClick={() => goTo({ tab: 'networks', isTall: false })}
                >
                  Separation networks
                </Menu.Item>
              )}
              <Menu.Item
                className={menuStyles['item']}
                closeOnClick={false}
                disabled={isOffline}
                onClick={() => form.current?.submit()}
              >
                Log out
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}

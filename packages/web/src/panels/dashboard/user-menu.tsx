import { Menu } from '@base-ui/react/menu';
import { useRef } from 'react';
import { pageMeta } from '../../client/page-meta.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';

/** Settings and the way out. Log out is a form, as it is on the pages without JavaScript. */
export function UserMenu({ email }: { email: string }) {
  const form = useRef<HTMLFormElement>(null);
  return (
    <>
      <form ref={form} method="post" action="/users/log-out" hidden>
        <input type="hidden" name="_method" value="DELETE" />
        <input type="hidden" name="_csrf_token" value={pageMeta('csrf-token')} />
      </form>
      <Menu.Root modal={false}>
        <Menu.Trigger className={buttonClass({ look: 'quiet' }, true)} aria-label="Account" title="Account">
          <Icon name="user" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className={menuStyles['positioner']} align="end" sideOffset={4}>
            <Menu.Popup className={menuStyles['popup']}>
              <p className={menuStyles['note']}>{email}</p>
              <Menu.Separator className={menuStyles['separator']} />
              <Menu.LinkItem className={menuStyles['item']} href="/users/settings">
                Settings
              </Menu.LinkItem>
              <Menu.Item className={menuStyles['item']} onClick={() => form.current?.submit()}>
                Log out
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
    </>
  );
}

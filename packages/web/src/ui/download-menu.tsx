import { Menu } from '@base-ui/react/menu';
import { Fragment } from 'react';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';
import menuStyles from './menu.module.css';

/** Item of a download menu: a file to download, or an action. */
export type DownloadChoice =
  | { readonly label: string; readonly address: string }
  | { readonly label: string; readonly does: () => void };

/** A button with a menu of downloads in groups; empty groups are omitted. */
export function DownloadMenu({
  label,
  groups,
}: {
  label: string;
  groups: readonly (readonly DownloadChoice[])[];
}) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger
        className={buttonClass({ look: 'quiet', small: true }, true)}
        aria-label={label}
        title={label}
      >
        <Icon name="download" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} align="end" sideOffset={4}>
          <Menu.Popup className={menuStyles['popup']} aria-label={label}>
            {groups
              .filter((group) => group.length > 0)
              .map((group, index) => (
                <Fragment key={group[0]?.label}>
                  {index > 0 && <Menu.Separator className={menuStyles['separator']} />}
                  {group.map((choice) =>
                    'address' in choice ? (
                      <Menu.LinkItem
                        key={choice.label}
                        className={menuStyles['item']}
                        href={choice.address}
                        download=""
                        closeOnClick
                      >
                        {choice.label}
                      </Menu.LinkItem>
                    ) : (
                      <Menu.Item key={choice.label} className={menuStyles['item']} onClick={choice.does}>
                        {choice.label}
                      </Menu.Item>
                    ),
                  )}
                </Fragment>
              ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

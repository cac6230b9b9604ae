import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { addToCrate, createCrateWith, useCrates } from '../../state/crate-actions.ts';
import { allSelected } from '../../state/selection.state.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';

/** Button that adds the selection to a crate. */
export function CratePicker() {
  const client = useQueryClient();
  const crates = useCrates().filter(({ query }) => query === null);
  const item = menuStyles['item'];
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ small: true })}>
        <Icon name="crate" size={16} />
        Add to crate
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} side="top" sideOffset={4}>
          <Menu.Popup className={`${menuStyles['popup']} ${menuStyles['long']}`} aria-label="Add to crate">
            {crates.map(({ id, name }) => (
              <Menu.Item key={id} className={item} onClick={() => void addToCrate(client, id, allSelected())}>
                {name}
              </Menu.Item>
            ))}
            {crates.length > 0 && <Menu.Separator className={menuStyles['separator']} />}
            <Menu.Item
              className={item}
              onClick={() => void createCrateWith(client, 'New crate', allSelected())}
            >
              New crate
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

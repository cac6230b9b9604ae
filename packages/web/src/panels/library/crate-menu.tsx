import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { addToCrate, createCrateWith, removeFromCrate, useCrates } from '../../state/crate-actions.ts';
import { route } from '../../state/route.state.ts';
import type { SelectedTrack } from '../../state/selection.state.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';
import { useStore } from '../../ui/use-store.ts';

/** Name of a crate that the menu creates; the sidebar renames it. */
const NEW_NAME = 'New crate';

/** Crates that tracks can be added to, and a new one. */
function CrateItems({ tracksNow }: { tracksNow: () => readonly SelectedTrack[] }) {
  const client = useQueryClient();
  const crates = useCrates().filter(({ query }) => query === null);
  const item = menuStyles['item'];
  return (
    <>
      {crates.map(({ id, name }) => (
        <Menu.Item key={id} className={item} onClick={() => void addToCrate(client, id, tracksNow())}>
          {name}
        </Menu.Item>
      ))}
      {crates.length > 0 && <Menu.Separator className={menuStyles['separator']} />}
      <Menu.Item className={item} onClick={() => void createCrateWith(client, NEW_NAME, tracksNow())}>
        {NEW_NAME}
      </Menu.Item>
    </>
  );
}

/** Items of a context menu that add tracks to a crate, and remove them from the crate on the screen. */
export function CrateSubmenu({ tracks }: { tracks: readonly SelectedTrack[] }) {
  const client = useQueryClient();
  const source = useStore(route, (now) => now.source);
  const crates = useCrates();
  const shown = source.kind === 'crate' ? crates.find(({ id }) => id === source.id) : undefined;
  const item = menuStyles['item'];
  return (
    <>
      <Menu.SubmenuRoot>
        <Menu.SubmenuTrigger className={item}>
          Add to crate <kbd aria-hidden="true">▸</kbd>
        </Menu.SubmenuTrigger>
        <Menu.Portal>
          <Menu.Positioner className={menuStyles['positioner']} side="inline-end" sideOffset={4}>
            <Menu.Popup className={menuStyles['popup']} aria-label="Add to crate">
              <CrateItems tracksNow={() => tracks} />
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.SubmenuRoot>
      {shown?.query === null && (
        <Menu.Item className={item} onClick={() => void removeFromCrate(client, shown.id, tracks)}>
          Remove from “{shown.name}”
        </Menu.Item>
      )}
    </>
  );
}

/** Button with a menu of crates that tracks are added to. */
export function CrateButton({ tracksNow }: { tracksNow: () => readonly SelectedTrack[] }) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger className={buttonClass({ small: true })}>
        <Icon name="add" size={16} />
        Add to crate
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className={menuStyles['positioner']} align="start" sideOffset={8}>
          <Menu.Popup className={menuStyles['popup']} aria-label="Add to crate">
            <CrateItems tracksNow={tracksNow} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

import { Menu } from '@base-ui/react/menu';
import { useQueryClient } from '@tanstack/react-query';
import { addToCrate, createCrateWith, removeFromCrate, useCrates } from '../../state/crate-actions.ts';
import { route } from '../../state/route.state.ts';
import type { SelectedTrack } from '../../state/selection.state.ts';
import { Icon } from '../../ui/icon.tsx';
import menuStyles from '../../ui/menu.module.css';
import { useIsOffline } from '../../ui/offline-note.tsx';
import { useStore } from '../../ui/use-store.ts';

/** Items of a menu that add tracks to a crate, or remove them from the listed one. */
export function CrateItems({ tracks }: { tracks: readonly SelectedTrack[] }) {
  const client = useQueryClient();
  const source = useStore(route, (state) => state.source);
  const crates = useCrates().filter(({ query }) => query === null);
  const listed = source.kind === 'crate' ? crates.find(({ id }) => id === source.id) : undefined;
  const isOffline = useIsOffline();
  const item = menuStyles['item'];
  return (
    <>
      <Menu.SubmenuRoot>
        <Menu.SubmenuTrigger className={item} disabled={isOffline}>
          Add to crate <Icon name="next" size={12} />
        </Menu.SubmenuTrigger>
        <Menu.Portal>
          <Menu.Positioner className={menuStyles['positioner']} sideOffset={2}>
            <Menu.Popup className={`${menuStyles['popup']} ${menuStyles['long']}`} aria-label="Add to crate">
              {crates.map(({ id, name }) => (
                <Menu.Item key={id} className={item} onClick={() => void addToCrate(client, id, tracks)}>
                  {name}
                </Menu.Item>
              ))}
              {crates.length > 0 && <Menu.Separator className={menuStyles['separator']} />}
              <Menu.Item
                className={item}
                onClick={() => void createCrateWith(client, nameOf(tracks), tracks)}
              >
                New crate
              </Menu.Item>
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.SubmenuRoot>
      {listed && (
        <Menu.Item
          className={item}
          disabled={isOffline}
          onClick={() => void removeFromCrate(client, listed.id, tracks)}
        >
          Remove from crate <kbd>Del</kbd>
        </Menu.Item>
      )}
    </>
  );
}

/** Whether Delete removes tracks from a crate, so that deleting them needs Shift. */
export function useDeleteKey(): string {
  const source = useStore(route, (state) => state.source);
  const crates = useCrates();
  const isList =
    source.kind === 'crate' && crates.some(({ id, query }) => id === source.id && query === null);
  return isList ? 'Shift Del' : 'Del';
}

/** Name of a new crate: the title of its only track, or `New crate`. */
function nameOf(tracks: readonly SelectedTrack[]): string {
  const [only, second] = tracks;
  return (only && !second && only.title.slice(0, 100)) || 'New crate';
}

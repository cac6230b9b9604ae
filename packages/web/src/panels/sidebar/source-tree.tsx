import type { Crate } from '@stem-studio/contract/resources/crate';
import { useQueryClient } from '@tanstack/react-query';
import { type DragEvent, type KeyboardEvent, Suspense, useEffect, useRef, useState } from 'react';
import { changeCrate, createCrateWith, removeCrate, useCrates } from '../../state/crate-actions.ts';
import { goTo, isSameSource, type LibrarySource, route } from '../../state/route.state.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.ts';
import { draggedTrackIds, hasDraggedTracks } from '../../ui/track-drag.ts';
import { useStore } from '../../ui/use-store.ts';
import { CrateItem } from './crate-item.tsx';
import { NameField } from './name-field.tsx';
import styles from './sidebar.module.css';
import { sidebarActionOf } from './sidebar-keys.ts';

const CrateMenu = lazy(() => import('./crate-menu.tsx').then((m) => ({ default: m.CrateMenu })));

const lists: readonly { source: LibrarySource; label: string; icon: IconName }[] = [
  { source: { kind: 'all' }, label: 'All tracks', icon: 'music' },
  { source: { kind: 'recent' }, label: 'Recently added', icon: 'clock' },
  { source: { kind: 'history' }, label: 'History', icon: 'undo' },
];

/** Key of a source, for its element. */
const keyOf = (source: LibrarySource) => (source.kind === 'crate' ? source.id : source.kind);

/**
 * The lists of the library and the crates as trees of one level. Arrow keys move through both; crates are renamed,
 * deleted and moved by key, menu and pointer, and take dropped tracks.
 */
export function SourceTree({ onOpened }: { onOpened?: () => void }) {
  const client = useQueryClient();
  const crates = useCrates();
  const source = useStore(route, (state) => state.source);
  const [focused, setFocused] = useState<string | null>(null);
  const [naming, setNaming] = useState<string | null>(null);
  const [menu, setMenu] = useState<{ crate: Crate; anchor: Element } | null>(null);
  const [isDropped, setIsDropped] = useState(false);
  const trees = useRef<HTMLDivElement>(null);
  const renamed = useRef<string | null>(null);
  const items = [
    ...lists.map((list) => list.source),
    ...crates.map(({ id }) => ({ kind: 'crate' as const, id })),
  ];
  const tabStop = items.some((item) => keyOf(item) === focused) ? focused : keyOf(source);

  const open = (next: LibrarySource) => {
    goTo({ tab: route.getState().tab === 'dj' ? 'dj' : 'library', source: next, track: null });
    onOpened?.();
  };
  const focus = (key: string) => {
    setFocused(key);
    trees.current?.querySelector<HTMLElement>(`[data-source="${key}"]`)?.focus();
  };
  useEffect(() => {
    // The name field that had the focus is gone.
    if (naming !== null || renamed.current === null) return;
    trees.current?.querySelector<HTMLElement>(`[data-source="${renamed.current}"]`)?.focus();
    renamed.current = null;
  }, [naming]);
  const move = (crate: Crate, position: number) => {
    if (position >= 0 && position < crates.length && position !== crate.position)
      void changeCrate(client, crate, { position });
  };
  const rename = (crate: Crate, name: string | null) => {
    setNaming(null);
    if (name !== null && name !== crate.name) void changeCrate(client, crate, { name });
    renamed.current = crate.id;
  };
  const create = async (name: string | null, trackIds: readonly string[] = []) => {
    setNaming(null);
    if (name === null) return;
    const tracks = trackIds.map((id) => ({ id, title: '' }));
    const crate = await createCrateWith(client, name, tracks);
    if (crate && tracks.length === 0) open({ kind: 'crate', id: crate.id });
    if (crate && tracks.length > 0) setNaming(crate.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const item = (event.target as Element).closest<HTMLElement>('[role="treeitem"]');
    if (!item || event.target instanceof HTMLInputElement) return;
    const index = items.findIndex((one) => keyOf(one) === item.dataset['source']);
    const action = sidebarActionOf(event, index, items.length);
    const target = items[index];
    if (!action || !target) return;
    const crate = target.kind === 'crate' ? crates.find(({ id }) => id === target.id) : undefined;
    if (action.do === 'focus') {
      const next = items[action.index];
      if (next) focus(keyOf(next));
    } else if (action.do === 'open') open(target);
    else if (!crate) return;
    else if (action.do === 'move') move(crate, crate.position + action.by);
    else if (action.do === 'rename') setNaming(crate.id);
    else if (action.do === 'delete') void removeCrate(client, crate);
    else setMenu({ crate, anchor: item });
    event.preventDefault();
    event.stopPropagation();
  };
  const dropOnNew = (event: DragEvent) => {
    setIsDropped(false);
    const ids = draggedTrackIds(event);
    if (ids.length === 0) return;
    event.preventDefault();
    void create('New crate', ids);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the keys of the trees' items
    <div ref={trees} className={styles['trees']} onKeyDown={onKeyDown}>
      <div role="tree" aria-label="Library">
        {lists.map(({ source: one, label, icon }) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the trees handle the keys
          <div
            key={one.kind}
            className={styles['item']}
            role="treeitem"
            data-source={one.kind}
            aria-selected={isSameSource(one, source)}
            tabIndex={tabStop === one.kind ? 0 : -1}
            onFocus={() => setFocused(one.kind)}
            onClick={() => open(one)}
          >
            <Icon name={icon} size={16} />
            <span className={styles['name']}>{label}</span>
          </div>
        ))}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- a drop target for the pointer */}
      <div
        className={styles['heading']}
        data-target={isDropped}
        onDragOver={(event) => {
          if (!hasDraggedTracks(event)) return;
          event.preventDefault();
          setIsDropped(true);
        }}
        onDragLeave={() => setIsDropped(false)}
        onDrop={dropOnNew}
      >
        <h2>Crates</h2>
        <IconButton small icon="plus" label="New crate" onClick={() => setNaming('new')} />
      </div>
      {crates.length > 0 && (
        <div role="tree" aria-label="Crates">
          {crates.map((crate) => (
            <CrateItem
              key={crate.id}
              crate={crate}
              isSelected={source.kind === 'crate' && source.id === crate.id}
              isTabStop={tabStop === crate.id}
              isNaming={naming === crate.id}
              onFocus={() => setFocused(crate.id)}
              onOpen={() => open({ kind: 'crate', id: crate.id })}
              onNaming={() => setNaming(crate.id)}
              onRename={(name) => rename(crate, name)}
              onMenu={(anchor) => setMenu({ crate, anchor })}
              onMove={(id, position) => {
                const dragged = crates.find((one) => one.id === id);
                if (dragged) move(dragged, position);
              }}
              crates={crates}
            />
          ))}
        </div>
      )}
      {naming === 'new' && (
        <div className={styles['item']}>
          <Icon name="crate" size={16} />
          <NameField label="Name of the new crate" name="" onDone={(name) => void create(name)} />
        </div>
      )}
      {crates.length === 0 && naming !== 'new' && (
        <p className={styles['hint']}>Crates are your own lists. Drop tracks here to start one.</p>
      )}
      {menu && (
        <Suspense fallback={null}>
          <CrateMenu
            {...menu}
            count={crates.length}
            onClose={() => setMenu(null)}
            onRename={() => setNaming(menu.crate.id)}
            onMove={(position) => move(menu.crate, position)}
          />
        </Suspense>
      )}
    </div>
  );
}

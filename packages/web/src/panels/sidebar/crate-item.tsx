import type { Crate } from '@stem-studio/contract/resources/crate';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { crateCountQuery } from '../../client/crate-queries.ts';
import { addToCrate } from '../../state/crate-actions.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { draggedTrackIds, hasDraggedTracks } from '../../ui/track-drag.ts';
import { NameField } from './name-field.tsx';
import styles from './sidebar.module.css';
import { droppedPosition } from './sidebar-keys.ts';

/** MIME type of a dragged crate; its data is the id. */
const crateDragType = 'application/x-stem-studio-crate';

interface CrateItemProps {
  crate: Crate;
  crates: readonly Crate[];
  isSelected: boolean;
  isTabStop: boolean;
  isNaming: boolean;
  onFocus: () => void;
  onOpen: () => void;
  onNaming: () => void;
  /** Called with the new name, or null if it stays. */
  onRename: (name: string | null) => void;
  onMenu: (anchor: Element) => void;
  /** Called when another crate is dropped beside this one, with its id and its new position. */
  onMove: (id: string, position: number) => void;
}

/** A crate in the sidebar. Tracks dropped on it are added, a crate dropped above or below it is moved there. */
export function CrateItem({ crate, crates, isSelected, isTabStop, isNaming, ...on }: CrateItemProps) {
  const client = useQueryClient();
  const [target, setTarget] = useState<'in' | 'before' | 'after' | null>(null);
  const isSmart = crate.query !== null;
  const found = useQuery({ ...crateCountQuery(crate.id), enabled: isSmart }).data;
  const count = isSmart ? found : crate.track_count;

  const targetOf = (event: DragEvent): typeof target => {
    if (hasDraggedTracks(event)) return isSmart ? null : 'in';
    if (!event.dataTransfer.types.includes(crateDragType)) return null;
    const { top, height } = event.currentTarget.getBoundingClientRect();
    return event.clientY < top + height / 2 ? 'before' : 'after';
  };
  const onDrop = (event: DragEvent) => {
    const at = targetOf(event);
    setTarget(null);
    if (at === null) return;
    event.preventDefault();
    if (at === 'in') {
      const tracks = draggedTrackIds(event).map((id) => ({ id, title: '' }));
      if (tracks.length > 0) void addToCrate(client, crate.id, tracks);
      return;
    }
    const id = event.dataTransfer.getData(crateDragType);
    const from = crates.findIndex((one) => one.id === id);
    if (from >= 0) on.onMove(id, droppedPosition(from, crate.position, at === 'after'));
  };

  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the trees handle the keys
    <div
      className={styles['item']}
      role="treeitem"
      data-source={crate.id}
      data-target={target}
      aria-selected={isSelected}
      tabIndex={isTabStop ? 0 : -1}
      title={isSmart ? `Smart crate: ${crate.query}` : crate.name}
      draggable={!isNaming}
      onDragStart={({ dataTransfer }) => {
        dataTransfer.effectAllowed = 'move';
        dataTransfer.setData(crateDragType, crate.id);
      }}
      onDragOver={(event) => {
        const at = targetOf(event);
        setTarget(at);
        if (at) event.preventDefault();
      }}
      onDragLeave={() => setTarget(null)}
      onDrop={onDrop}
      onFocus={on.onFocus}
      onClick={on.onOpen}
      onDoubleClick={on.onNaming}
      onContextMenu={(event) => {
        event.preventDefault();
        on.onMenu(event.currentTarget);
      }}
    >
      <Icon name={isSmart ? 'search' : 'crate'} size={16} />
      {isNaming ? (
        <NameField label={`New name of ${crate.name}`} name={crate.name} onDone={on.onRename} />
      ) : (
        <>
          <span className={styles['name']}>{crate.name}</span>
          <span className={styles['count']}>{count?.toLocaleString('en') ?? ''}</span>
          <IconButton
            small
            icon="more"
            tabIndex={-1}
            className={styles['more']}
            label={`Actions for ${crate.name}`}
            aria-haspopup="menu"
            onClick={(event) => {
              event.stopPropagation();
              on.onMenu(event.currentTarget);
            }}
          />
        </>
      )}
    </div>
  );
}

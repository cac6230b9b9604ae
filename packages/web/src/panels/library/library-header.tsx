import type { TrackSort } from '@stem-studio/contract/endpoints/tracks';
import { type DragEvent, useState } from 'react';
import { type ColumnId, setColumns, withDropped } from '../../state/library-columns.state.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Column, choiceOf } from './columns.ts';
import { readSort, type SortField } from './library.state.ts';
import styles from './library-panel.module.css';

/** MIME type of a dragged column header; its data is the id of the column. */
const columnDragType = 'application/x-stem-studio-column';

/** Column headers. Those of sortable columns are buttons; a header dragged onto another takes its position. */
export function LibraryHeader({
  columns,
  sort,
  onSort,
}: {
  columns: readonly Column[];
  sort: TrackSort;
  onSort: (field: SortField) => void;
}) {
  const now = readSort(sort);
  const [target, setTarget] = useState<ColumnId | null>(null);
  const isColumn = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes(columnDragType);
  return (
    <div className={styles['head']} role="row" aria-rowindex={1}>
      <div role="columnheader" data-column="cover">
        <span className="visually-hidden">Cover</span>
      </div>
      {columns.map(({ id, name, label, sort: field }) => {
        const isSorted = field !== null && now.field === field;
        const order = isSorted ? (now.isDescending ? 'descending' : 'ascending') : 'none';
        return (
          <div
            key={id}
            role="columnheader"
            tabIndex={-1}
            data-column={id}
            data-target={target === id}
            aria-sort={field ? order : undefined}
            draggable
            onDragStart={({ dataTransfer }) => {
              dataTransfer.effectAllowed = 'move';
              dataTransfer.setData(columnDragType, id);
            }}
            onDragOver={(event) => {
              if (!isColumn(event)) return;
              event.preventDefault();
              setTarget(id);
            }}
            onDragLeave={() => setTarget(null)}
            onDrop={(event) => {
              setTarget(null);
              const dragged = columns.find((one) => one.id === event.dataTransfer.getData(columnDragType));
              if (!dragged) return;
              event.preventDefault();
              setColumns(withDropped(choiceOf(columns), dragged.id, id));
            }}
          >
            {field ? (
              <button
                type="button"
                className={styles['sort']}
                title={`Sort by ${label.toLowerCase()}`}
                onClick={() => onSort(field)}
              >
                {name}
                {isSorted && <Icon name={now.isDescending ? 'down' : 'up'} size={14} />}
              </button>
            ) : (
              <span>{name}</span>
            )}
          </div>
        );
      })}
      <div role="columnheader" data-column="actions">
        <span className="visually-hidden">Actions</span>
      </div>
    </div>
  );
}

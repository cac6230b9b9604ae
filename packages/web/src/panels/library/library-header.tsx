import type { TrackSort } from '@stem-studio/contract/endpoints/tracks';
import { Icon } from '../../ui/icon.tsx';
import { readSort, type SortField } from './library.state.ts';
import styles from './library-panel.module.css';

const columns: readonly { name: string; label: string; field?: SortField; column: string }[] = [
  { name: '', label: 'Cover', column: 'cover' },
  { name: 'Title', label: 'Title', field: 'title', column: 'title' },
  { name: 'Artist', label: 'Artist', field: 'artist', column: 'artist' },
  { name: 'Waveform', label: 'Waveform', column: 'wave' },
  { name: 'BPM', label: 'Tempo in BPM', field: 'bpm', column: 'bpm' },
  { name: 'Key', label: 'Key', field: 'key', column: 'key' },
  { name: 'Time', label: 'Length', field: 'duration', column: 'time' },
  { name: 'Tags', label: 'Tags', column: 'tags' },
  { name: 'Stems', label: 'Stems and jobs', column: 'state' },
  { name: '', label: 'Actions', column: 'actions' },
];

/** Column headers; those of sortable columns are buttons. */
export function LibraryHeader({ sort, onSort }: { sort: TrackSort; onSort: (field: SortField) => void }) {
  const now = readSort(sort);
  return (
    <div className={styles['head']} role="row" aria-rowindex={1}>
      {columns.map(({ name, label, field, column }) => {
        const isSorted = field !== undefined && now.field === field;
        const order = isSorted ? (now.isDescending ? 'descending' : 'ascending') : 'none';
        return (
          <div key={column} role="columnheader" data-column={column} aria-sort={field ? order : undefined}>
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
              <span className={name === '' ? 'visually-hidden' : undefined}>
                {name === '' ? label : name}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

import { Popover } from '@base-ui/react/popover';
import { libraryColumns, setColumns, withMoved, withShown } from '../../state/library-columns.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useStore } from '../../ui/use-store.ts';
import { allColumns, choiceOf, columnsThatFit } from './columns.ts';
import styles from './columns-menu.module.css';

const labels = new Map(allColumns.map(({ id, label }) => [id, label]));

/** Columns of the library: which are shown, and in which order. */
export function ColumnsMenu({
  anchor,
  widthPx,
  onClose,
}: {
  anchor: Element;
  /** Width of the list, which determines the initial columns. */
  widthPx: number;
  onClose: () => void;
}) {
  const choice = useStore(libraryColumns, ({ columns }) => columns);
  const columns = choice ?? choiceOf(columnsThatFit(widthPx));
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className={styles['positioner']} anchor={anchor} align="end" sideOffset={8}>
          <Popover.Popup className={styles['popup']}>
            <Popover.Title className={styles['title']}>Columns</Popover.Title>
            <ul className={styles['list']}>
              {columns.map(({ id, isShown }, index) => {
                const label = labels.get(id) ?? id;
                return (
                  <li key={id}>
                    <label className={styles['check']}>
                      <input
                        type="checkbox"
                        checked={isShown}
                        disabled={id === 'title'}
                        onChange={(event) => setColumns(withShown(columns, id, event.target.checked))}
                      />
                      {label}
                    </label>
                    <IconButton
                      small
                      icon="up"
                      label={`Move ${label} up`}
                      aria-disabled={index === 0}
                      onClick={() => setColumns(withMoved(columns, id, -1))}
                    />
                    <IconButton
                      small
                      icon="down"
                      label={`Move ${label} down`}
                      aria-disabled={index === columns.length - 1}
                      onClick={() => setColumns(withMoved(columns, id, 1))}
                    />
                  </li>
                );
              })}
            </ul>
            <Button small disabled={choice === null} onClick={() => setColumns(null)}>
              Reset
            </Button>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

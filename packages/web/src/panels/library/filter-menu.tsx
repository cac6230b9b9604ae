import { Popover } from '@base-ui/react/popover';
import { keyAt } from '@stem-studio/dsp/tonal/camelot';
import { keyColor, keyText } from '../../base/key-text.ts';
import { clearFilters, libraryFilters, setFilters } from '../../state/library-filters.state.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './filter-menu.module.css';

const camelotCodes = (['A', 'B'] as const).flatMap((ring) =>
  Array.from({ length: 12 }, (_, i) => ({ code: `${i + 1}${ring}`, key: keyAt(i + 1, ring) })),
);

const stemChoices = [
  ['', 'Any'],
  ['yes', 'With stems'],
  ['no', 'Without stems'],
] as const;

/** Filters of the library; each change applies at once. */
export function FilterMenu({ anchor, onClose }: { anchor: Element; onClose: () => void }) {
  const filters = useStore(libraryFilters, (all) => all);
  const text = (name: 'bpmFrom' | 'bpmTo' | 'tag' | 'genre' | 'yearFrom' | 'yearTo') => ({
    value: filters[name],
    onChange: (event: { target: { value: string } }) => setFilters({ [name]: event.target.value }),
  });
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner className={styles['positioner']} anchor={anchor} align="start" sideOffset={8}>
          <Popover.Popup className={styles['popup']}>
            <Popover.Title className={styles['title']}>Filter</Popover.Title>
            <div className={styles['pair']}>
              <Field label="BPM from" inputMode="decimal" maxLength={6} {...text('bpmFrom')} />
              <Field label="BPM to" inputMode="decimal" maxLength={6} {...text('bpmTo')} />
            </div>
            <fieldset className={styles['group']}>
              <legend>Key</legend>
              <div className={styles['wheel']}>
                {camelotCodes.map(({ code, key }) => (
                  <button
                    key={code}
                    type="button"
                    aria-pressed={filters.key === key}
                    aria-label={`${code}, ${keyText(key)}`}
                    title={keyText(key)}
                    style={{ color: keyColor(code) }}
                    onClick={() => setFilters({ key: filters.key === key ? '' : key })}
                  >
                    {code}
                  </button>
                ))}
              </div>
              <label className={styles['check']}>
                <input
                  type="checkbox"
                  checked={filters.isKeyNear}
                  onChange={(event) => setFilters({ isKeyNear: event.target.checked })}
                />
                Include compatible keys
              </label>
            </fieldset>
            <div className={styles['pair']}>
              <Field label="Tag" maxLength={40} {...text('tag')} />
              <Field label="Genre" maxLength={40} {...text('genre')} />
            </div>
            <div className={styles['pair']}>
              <Field label="Year from" inputMode="numeric" maxLength={4} {...text('yearFrom')} />
              <Field label="Year to" inputMode="numeric" maxLength={4} {...text('yearTo')} />
            </div>
            <fieldset className={styles['group']}>
              <legend>Rating at least</legend>
              <div className={styles['choices']}>
                {[0, 1, 2, 3, 4, 5].map((stars) => (
                  <Button
                    key={stars}
                    small
                    aria-pressed={filters.rating === stars}
                    aria-label={stars === 0 ? 'Any rating' : `${stars} stars`}
                    onClick={() => setFilters({ rating: stars })}
                  >
                    {stars === 0 ? 'Any' : `${stars} ★`}
                  </Button>
                ))}
              </div>
            </fieldset>
            <fieldset className={styles['group']}>
              <legend>Stems</legend>
              <div className={styles['choices']}>
                {stemChoices.map(([value, name]) => (
                  <Button
                    key={value}
                    small
                    aria-pressed={filters.stems === value}
                    onClick={() => setFilters({ stems: value })}
                  >
                    {name}
                  </Button>
                ))}
              </div>
            </fieldset>
            <div className={styles['actions']}>
              <Button small onClick={clearFilters}>
                Clear all
              </Button>
              <Button small onClick={onClose}>
                Done
              </Button>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}

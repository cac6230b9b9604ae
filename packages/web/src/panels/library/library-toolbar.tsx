import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { type ReactNode, useState } from 'react';
import { countText } from '../../base/format.ts';
import { libraryColumns, setDensity } from '../../state/library-columns.state.ts';
import { filterTerms, libraryFilters, setFilters } from '../../state/library-filters.state.ts';
import { draftCrate } from '../../state/sidebar.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { lazy } from '../../ui/lazy.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { useStore } from '../../ui/use-store.ts';
import styles from './library-toolbar.module.css';
import { searchText } from './search-text.ts';
import { SourceTitle } from './source-title.tsx';
import type { LibraryList } from './use-library-list.ts';

const FilterMenu = lazy(() => import('./filter-menu.tsx').then((m) => ({ default: m.FilterMenu })));
const ColumnsMenu = lazy(() => import('./columns-menu.tsx').then((m) => ({ default: m.ColumnsMenu })));

/** A menu of the toolbar, the button that opened it, and the width of the toolbar at that time. */
interface OpenMenu {
  readonly name: 'filter' | 'columns';
  readonly anchor: Element;
  readonly widthPx: number;
}

/** Returns the width of the toolbar of a button, in pixels. */
function widthAround(button: Element): number {
  return button.closest(`.${styles['bar']}`)?.clientWidth ?? innerWidth;
}

/** Name and count of the list, its filters, and the menus of filters, columns and density. */
export function LibraryToolbar({ list }: { list: LibraryList }) {
  const filters = useStore(libraryFilters, filterTermsOf);
  const isCompact = useStore(libraryColumns, ({ density }) => density === 'compact');
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const close = () => setMenu(null);
  const opens = (name: 'filter' | 'columns') => ({
    'aria-haspopup': 'dialog' as const,
    'aria-expanded': menu?.name === name,
    onClick: ({ currentTarget }: { currentTarget: Element }) =>
      setMenu(
        menu?.name === name ? null : { name, anchor: currentTarget, widthPx: widthAround(currentTarget) },
      ),
  });
  return (
    <div className={styles['bar']}>
      <SourceTitle list={list} />
      <p className={styles['count']} role="status">
        {countOf(list)}
      </p>
      <ul className={styles['chips']} aria-label="Filters">
        {filters.map(({ term, without }) => (
          <FilterChip key={term} term={term} onRemove={() => setFilters(without)} />
        ))}
        <li>
          <Button small icon="filter" className={styles['add']} {...opens('filter')}>
            Filter
          </Button>
        </li>
        {list.view.q !== '' && list.source.kind !== 'crate' && (
          <li>
            <Button
              small
              icon="crate"
              className={styles['add']}
              title="Save search as crate"
              onClick={() => draftCrate({ kind: 'new', query: searchOf(list) })}
            >
              Save search as crate
            </Button>
          </li>
        )}
      </ul>
      <IconButton
        small
        icon={isCompact ? 'rowsDense' : 'rows'}
        label="Compact rows"
        className={styles['layout']}
        aria-pressed={isCompact}
        onClick={() => setDensity(isCompact ? 'comfortable' : 'compact')}
      />
      <IconButton small icon="columns" label="Columns" className={styles['layout']} {...opens('columns')} />
      {menu && (
        <LazyPart name="The menu" look="popup" onClose={close}>
          {menu.name === 'filter' ? (
            <FilterMenu anchor={menu.anchor} onClose={close} />
          ) : (
            <ColumnsMenu anchor={menu.anchor} widthPx={menu.widthPx} onClose={close} />
          )}
        </LazyPart>
      )}
    </div>
  );
}

/** Returns the search of a list as text; that of the tracks added lately includes their time. */
function searchOf({ source, view }: LibraryList): string {
  return source.kind === 'recent' ? `added:30d ${view.q}` : view.q;
}

const cache = { filters: libraryFilters.getState(), terms: filterTerms(libraryFilters.getState()) };

/** Returns the terms of filters; the same array for the same filters, as a store's reader must. */
function filterTermsOf(filters: typeof cache.filters): typeof cache.terms {
  if (cache.filters !== filters) Object.assign(cache, { filters, terms: filterTerms(filters) });
  return cache.terms;
}

/**
 * Count of the list as text: `1,234 tracks`, or `12 of 1,234 tracks` of a part, and `100+` while the rest is counted.
 */
function countOf({ status, count, isCountMinimum, totalCount, view }: LibraryList): ReactNode {
  if (status !== 'ready') return 'Loading tracks';
  const known = isCountMinimum ? `${count.toLocaleString('en')}+` : count.toLocaleString('en');
  if (view.q !== '' && totalCount !== null) return `${known} of ${countText(totalCount, 'track')}`;
  return isCountMinimum ? `${known} tracks` : countText(count, 'track');
}

function FilterChip({ term, onRemove }: { term: string; onRemove: () => void }) {
  const text = searchText(parseTrackSearch(term)).understood.join(', ');
  return (
    <li className={styles['chip']}>
      <span>{text}</span>
      <button type="button" aria-label={`Remove filter: ${text}`} onClick={onRemove}>
        <Icon name="close" size={12} />
      </button>
    </li>
  );
}

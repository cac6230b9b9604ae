import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { useMemo } from 'react';
import { countText } from '../../base/format.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './search-line.module.css';
import { searchText } from './search-text.ts';
import type { LibraryList } from './use-library-list.ts';

/** Number of results of a search, how it was interpreted, and terms that were not understood. */
export function SearchLine({
  search,
  list: { count, isCountMinimum },
}: {
  search: string;
  list: LibraryList;
}) {
  const { understood, troubles } = useMemo(() => searchText(parseTrackSearch(search)), [search]);
  return (
    <p className={styles['line']}>
      <span>
        {isCountMinimum ? `${count.toLocaleString('en')}+ tracks` : countText(count, 'track')}:{' '}
        {understood.join(' · ')}
      </span>
      {troubles.map((text) => (
        <span key={text} className={styles['trouble']}>
          <Icon name="warning" size={14} />
          {text}
        </span>
      ))}
    </p>
  );
}

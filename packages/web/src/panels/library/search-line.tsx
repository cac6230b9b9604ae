import { parseTrackSearch } from '@stem-studio/contract/track-search';
import { useMemo } from 'react';
import { countText } from '../../base/format.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './search-line.module.css';
import { searchText } from './search-text.ts';

/** How many tracks a search finds, how it was understood, and what of it was not. */
export function SearchLine({ search, count }: { search: string; count: number }) {
  const { understood, troubles } = useMemo(() => searchText(parseTrackSearch(search)), [search]);
  return (
    <p className={styles['line']}>
      <span>
        {countText(count, 'track')}: {understood.join(' · ')}
      </span>
      {troubles.map((words) => (
        <span key={words} className={styles['trouble']}>
          <Icon name="warning" size={14} />
          {words}
        </span>
      ))}
    </p>
  );
}

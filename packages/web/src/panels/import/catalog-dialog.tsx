import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { clockText, countText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { collectionsQuery, foundSongsQuery } from '../../client/catalog-queries.ts';
import { showCatalogSongs } from '../../state/catalog-view.state.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { inputClass } from '../../ui/field.tsx';
import { importText } from '../../ui/import-text.ts';
import { useDebounced } from '../../ui/use-debounced.ts';
import styles from './catalog-dialog.module.css';
import { ScanLine } from './scan-line.tsx';

/** Catalog browser: albums and playlists, or albums, playlists and songs that match a search. */
export function CatalogDialog({ query, onClose }: { query: string; onClose: () => void }) {
  const [typed, setTyped] = useState(query);
  const [searched, setSearched] = useState(query.trim());
  const ask = useDebounced(
    useCallback((value: string) => setSearched(value.trim()), []),
    250,
  );
  const collections = useQuery(collectionsQuery(searched));
  const songs = useQuery({ ...foundSongsQuery(searched), enabled: searched !== '' });
  const failure = collections.error ?? songs.error;
  const lists = collections.data?.data ?? [];
  const hits = searched === '' ? [] : (songs.data?.data ?? []);
  const isWaiting = collections.isPending || (searched !== '' && songs.isPending);
  const hidden = (collections.data?.meta.total_count ?? 0) - lists.length;
  const more = searched === '' ? 0 : (songs.data?.meta.total_count ?? 0) - hits.length;
  return (
    <Dialog title="Browse catalog" onClose={onClose}>
      <input
        className={inputClass}
        type="search"
        aria-label="Search the catalog"
        placeholder="Title, artist or album"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          ask(event.target.value);
        }}
      />
      <ScanLine />
      <div className={styles['found']} aria-busy={isWaiting}>
        {failure && (
          <p role="alert" className={styles['error']}>
            The catalog could not be searched completely. {errorText(failure)}
          </p>
        )}
        {lists.length > 0 && <h3 className={styles['heading']}>Albums and playlists</h3>}
        <ul className={styles['list']}>
          {lists.map((one) => (
            <Line
              key={one.catalog_url}
              url={one.catalog_url}
              cover={one.album_art_url}
              title={one.title}
              isList
              facts={[
                one.type === 'album' ? 'Album' : 'Playlist',
                one.type === 'album' && one.artist === '' ? 'Various artists' : one.artist,
                countText(one.track_count, 'song'),
              ]}
            />
          ))}
        </ul>
        {hits.length > 0 && <h3 className={styles['heading']}>Songs</h3>}
        <ul className={styles['list']}>
          {hits.map((one) => (
            <Line
              key={one.catalog_url}
              url={one.catalog_url}
              cover={one.album_art_url}
              title={one.title}
              facts={[one.artist, one.album, one.duration > 0 ? clockText(one.duration) : '']}
            />
          ))}
        </ul>
        <p className={styles['note']} role="status">
          {!isWaiting && !failure && lists.length + hits.length === 0
            ? `Nothing in the catalog matches “${searched}”.`
            : hidden + more > 0 &&
              `${(hidden + more).toLocaleString('en')} more. Refine the search to find them.`}
        </p>
      </div>
    </Dialog>
  );
}

function Line({
  url,
  cover,
  title,
  facts,
  isList = false,
}: {
  url: string;
  cover: string | null;
  title: string;
  facts: readonly string[];
  /** Whether it is an album or a playlist, which opens. */
  isList?: boolean;
}) {
  const request = useMutation({ mutationFn: () => call(importCatalog, { body: { url } }) });
  return (
    <li className={styles['line']}>
      <Cover url={cover} />
      <span className={styles['title']} title={title}>
        {isList ? (
          <button type="button" className={styles['open']} onClick={() => showCatalogSongs(url)}>
            {title}
          </button>
        ) : (
          title
        )}
      </span>
      <span className={styles['facts']}>
        {request.data ? importText(request.data.data) : facts.filter(Boolean).join(' · ')}
        {request.isError && (
          <span role="alert" className={styles['error']}>
            {' '}
            Not imported. {errorText(request.error)}
          </span>
        )}
      </span>
      <Button
        small
        icon={request.isSuccess ? 'check' : 'download'}
        aria-label={`Import “${title}”`}
        disabled={request.isPending || request.isSuccess}
        onClick={() => request.mutate()}
      >
        {request.isSuccess ? 'Imported' : request.isPending ? 'Importing…' : 'Import'}
      </Button>
    </li>
  );
}

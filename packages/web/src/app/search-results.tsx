import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, useCallback, useEffect, useState } from 'react';
import { clockText, countText } from '../base/format.ts';
import { errorText } from '../client/api-error.ts';
import { call } from '../client/call.ts';
import { collectionsQuery, foundSongsQuery } from '../client/catalog-queries.ts';
import { pageMeta } from '../client/page-meta.ts';
import { tracksQuery } from '../client/queries.ts';
import { browseCatalog, showCatalogSongs } from '../state/catalog-view.state.ts';
import { goTo } from '../state/route.state.ts';
import { search } from '../state/search.state.ts';
import { Cover } from '../ui/cover.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { importText } from '../ui/import-text.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import { useStore } from '../ui/use-store.ts';
import styles from './search-field.module.css';

/** Results shown of each kind; the list and the catalog browser show all. */
const SHOWN = { tracks: 3, collections: 4, songs: 5 } as const;
/** Pause in typing after which the catalog is searched, in ms: a web catalog limits the number of requests. */
const CATALOG_DELAY_MS = 250;

/** Results of the search field as a list box: tracks of the library, then albums, playlists and songs of the catalog. */
export function SearchResults({
  id,
  text,
  link,
  active,
  onImportLink,
  onClose,
}: {
  id: string;
  /** Search, or the empty string. */
  text: string;
  /** The text if it is a link, else null. */
  link: string | null;
  /** Id of the active option. */
  active: string;
  onImportLink: (url: string) => void;
  onClose: () => void;
}) {
  return (
    <div role="listbox" id={id} aria-label="Search results">
      {link !== null ? (
        <>
          <Option
            id={`${id}-link`}
            active={active}
            art="download"
            title="Import link"
            facts={link}
            onChoose={() => onImportLink(link)}
          />
          <Option
            id={`${id}-songs`}
            active={active}
            art="music"
            title="Choose songs before importing"
            facts="Albums and playlists"
            onChoose={() => {
              onClose();
              showCatalogSongs(link);
            }}
          />
        </>
      ) : (
        <>
          {text !== '' && <LibraryGroup id={id} text={text} active={active} onClose={onClose} />}
          <CatalogGroup id={id} text={text} active={active} onClose={onClose} />
        </>
      )}
    </div>
  );
}

interface GroupProps {
  id: string;
  text: string;
  active: string;
  onClose: () => void;
}

function LibraryGroup({ id, text, active, onClose }: GroupProps) {
  // The search of the list beside it, which follows a pause in typing: both show the same reply.
  const query = useStore(search, (state) => state.query);
  const found = useQuery({
    ...tracksQuery({ q: query, sort: '-created_at' }, 1),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  });
  const meta = found.data?.meta;
  return (
    <Group
      id={`${id}-library`}
      name="Library"
      count={
        !meta ? '' : meta.has_more ? `${meta.total_count}+ tracks` : countText(meta.total_count, 'track')
      }
      isBusy={query !== text || found.isPending || found.isPlaceholderData}
    >
      {found.data?.data.slice(0, SHOWN.tracks).map((track) => (
        <Option
          key={track.id}
          id={`${id}-track-${track.id}`}
          active={active}
          cover={track.album_art_url}
          title={track.title}
          facts={[track.artist, track.album].filter(Boolean).join(' · ')}
          onChoose={() => {
            onClose();
            goTo({ track: track.id });
          }}
        />
      ))}
    </Group>
  );
}

function CatalogGroup({ id, text, active, onClose }: GroupProps) {
  const [searched, setSearched] = useState('');
  const searchSoon = useDebounced(
    useCallback((value: string) => setSearched(value.slice(0, 200)), []),
    CATALOG_DELAY_MS,
  );
  useEffect(() => searchSoon(text), [searchSoon, text]);
  const isSearching = searched !== '';
  const collections = useQuery({ ...collectionsQuery(searched), enabled: isSearching });
  const songs = useQuery({ ...foundSongsQuery(searched), enabled: isSearching });
  const failure = collections.error ?? songs.error;
  const lists = isSearching ? (collections.data?.data ?? []) : [];
  const hits = isSearching ? (songs.data?.data ?? []) : [];
  const isBusy = searched !== text || (isSearching && (collections.isPending || songs.isPending));
  const isEmpty = text !== '' && !isBusy && !failure && lists.length + hits.length === 0;
  return (
    <Group id={`${id}-catalog`} name="Catalog" count={isEmpty ? 'No results' : ''} isBusy={isBusy}>
      {failure && (
        <div role="presentation" className={styles['note']}>
          The catalog could not be searched completely. {errorText(failure)}
        </div>
      )}
      {lists.slice(0, SHOWN.collections).map((one) => (
        <CatalogOption
          key={one.catalog_url}
          id={`${id}-${one.catalog_url}`}
          active={active}
          url={one.catalog_url}
          cover={one.album_art_url}
          title={one.title}
          facts={[
            one.type === 'album' ? 'Album' : 'Playlist',
            one.type === 'album' && one.artist === '' ? 'Various artists' : one.artist,
            countText(one.track_count, 'song'),
          ]}
          onOpen={() => {
            onClose();
            showCatalogSongs(one.catalog_url);
          }}
        />
      ))}
      {hits.slice(0, SHOWN.songs).map((one) => (
        <CatalogOption
          key={one.catalog_url}
          id={`${id}-${one.catalog_url}`}
          active={active}
          url={one.catalog_url}
          cover={one.album_art_url}
          title={one.title}
          facts={['Song', one.artist, one.album, one.duration > 0 ? clockText(one.duration) : '']}
        />
      ))}
      <Option
        id={`${id}-browse`}
        active={active}
        art="search"
        title={text === '' ? 'Browse catalog' : `All catalog results for “${text}”`}
        facts={text === '' ? 'Albums and playlists' : ''}
        onChoose={() => {
          onClose();
          browseCatalog(text);
        }}
      />
      {pageMeta('catalogs') === '' && (
        <div role="presentation" className={styles['note']}>
          No catalog is connected, only the demo album. The operator connects a music folder with
          CATALOG_FOLDER, or the web catalog with CATALOG_CLIENT_ID and CATALOG_CLIENT_SECRET.
        </div>
      )}
    </Group>
  );
}

function Group({
  id,
  name,
  count,
  isBusy,
  children,
}: {
  id: string;
  name: string;
  count: string;
  isBusy: boolean;
  children: ReactNode;
}) {
  return (
    <div role="group" className={styles['group']} aria-labelledby={id} aria-busy={isBusy}>
      <div role="presentation" className={styles['heading']}>
        <span id={id}>{name}</span>
        <span>{isBusy ? 'Searching…' : count}</span>
      </div>
      {children}
    </div>
  );
}

/** An album, a playlist or a song. A list opens when it is chosen; a song is imported, as by its `Import`. */
function CatalogOption({
  url,
  facts,
  onOpen,
  ...shown
}: {
  id: string;
  active: string;
  url: string;
  cover: string | null;
  title: string;
  facts: readonly string[];
  onOpen?: () => void;
}) {
  const request = useMutation({ mutationFn: () => call(importCatalog, { body: { url } }) });
  const start = () => {
    if (request.isIdle || request.isError) request.mutate();
  };
  return (
    <Option
      {...shown}
      isFailed={request.isError}
      facts={
        request.isError
          ? `Not imported. ${errorText(request.error)}`
          : request.data
            ? importText(request.data.data)
            : facts.filter(Boolean).join(' · ')
      }
      action={request.isSuccess ? 'Imported' : request.isPending ? 'Importing…' : 'Import'}
      isDone={request.isSuccess}
      onAction={start}
      onChoose={onOpen ?? start}
    />
  );
}

function Option({
  id,
  active,
  art,
  cover = null,
  title,
  facts,
  isFailed = false,
  action,
  isDone = false,
  onAction,
  onChoose,
}: {
  id: string;
  active: string;
  /** Icon instead of a cover. */
  art?: IconName;
  cover?: string | null;
  title: string;
  facts: string;
  isFailed?: boolean;
  /** Text that acts by a click on it; the keyboard uses the dialog of the list. */
  action?: string;
  isDone?: boolean;
  onAction?: () => void;
  onChoose: () => void;
}) {
  const choose = (event: MouseEvent) => {
    if (onAction && (event.target as Element).closest('[data-action]')) onAction();
    else onChoose();
  };
  return (
    <button
      type="button"
      role="option"
      id={id}
      tabIndex={-1}
      className={styles['option']}
      aria-selected={id === active}
      onClick={choose}
    >
      {art ? <Icon name={art} size={20} /> : <Cover url={cover} />}
      <span className={styles['text']}>
        <span className={styles['title']}>{title}</span>
        {facts !== '' && (
          <span className={styles['facts']} data-failed={isFailed}>
            {facts}
          </span>
        )}
      </span>
      {action && (
        <span className={styles['import']} data-action data-done={isDone}>
          {action}
        </span>
      )}
    </button>
  );
}

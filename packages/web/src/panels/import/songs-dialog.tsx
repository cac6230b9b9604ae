import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { clockText, countText } from '../../base/format.ts';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { importPreviewQuery } from '../../client/catalog-queries.ts';
import { goTo } from '../../state/route.state.ts';
import { Button } from '../../ui/button.tsx';
import { Cover } from '../../ui/cover.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { importText } from '../../ui/import-text.ts';
import { artistOf, type ImportPreview, newSongs, songsOf } from './song-choice.ts';
import styles from './songs-dialog.module.css';

/** The songs of an album, a playlist or a link with check boxes; imports those that are checked. */
export function SongsDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const preview = useQuery(importPreviewQuery(url));
  return (
    <Dialog title={preview.data ? titleOf(preview.data) : 'Songs of the link'} onClose={onClose}>
      {preview.isPending && <p className={styles['note']}>Loading songs…</p>}
      {preview.isError && (
        <p role="alert" className={styles['error']}>
          {errorText(preview.error)}
        </p>
      )}
      {preview.data && <Songs url={url} preview={preview.data} onClose={onClose} />}
    </Dialog>
  );
}

function titleOf({ item }: ImportPreview): string {
  return item.type === 'track' ? item.track.title : item.title;
}

function Songs({ url, preview, onClose }: { url: string; preview: ImportPreview; onClose: () => void }) {
  const { item } = preview;
  const songs = useMemo(() => songsOf(preview), [preview]);
  const library = useMemo(
    () => new Map(preview.library.map(({ catalog_id, track_id }) => [catalog_id, track_id])),
    [preview],
  );
  const fresh = useMemo(() => newSongs(preview), [preview]);
  const [chosen, setChosen] = useState(fresh);
  const skipped = item.type === 'track' ? [] : item.skipped;
  const request = useMutation({
    mutationFn: () => {
      // Without a choice the import also reports the songs that were skipped.
      const isAll = item.type === 'track' || chosen.size === songs.length;
      return call(importCatalog, { body: isAll ? { url } : { url, catalog_ids: [...chosen] } });
    },
  });
  const choose = (id: string, isChosen: boolean) => {
    const next = new Set(chosen);
    if (isChosen) next.add(id);
    else next.delete(id);
    setChosen(next);
  };
  const cover = songs.find((song) => song.album_art_url)?.album_art_url ?? null;
  const isWhole = fresh.size > 0 && chosen.size === fresh.size;
  return (
    <>
      <div className={styles['head']}>
        <Cover large url={cover} />
        <div>
          <p>
            {[
              item.type === 'album' ? 'Album' : item.type === 'playlist' ? 'Playlist' : 'Song',
              item.type === 'playlist' ? '' : artistOf(songs),
              countText(songs.length, 'song'),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {library.size > 0 && (
            <p className={styles['note']}>{countText(library.size, 'song')} already in the library</p>
          )}
        </div>
        {fresh.size > 1 && (
          <Button small onClick={() => setChosen(isWhole ? new Set() : fresh)}>
            {isWhole ? 'Select none' : 'Select all'}
          </Button>
        )}
      </div>
      <ul className={styles['songs']} aria-label="Songs">
        {songs.map((song, index) => (
          <SongLine
            key={song.catalog_id}
            song={song}
            number={index + 1}
            trackId={library.get(song.catalog_id ?? '') ?? null}
            isChosen={chosen.has(song.catalog_id ?? '')}
            onChoose={(isChosen) => choose(song.catalog_id ?? '', isChosen)}
            onOpen={onClose}
          />
        ))}
        {skipped.map(({ title, reason }, index) => (
          <li key={index} className={styles['skipped']}>
            {title} <span>Cannot be imported: {reason}</span>
          </li>
        ))}
      </ul>
      <div className={styles['foot']}>
        <p role="status">
          {request.data && importText(request.data.data)}
          {fresh.size === 0 && !request.data && songs.length > 0 && 'All songs are in the library.'}
        </p>
        {request.isError && (
          <p role="alert" className={styles['error']}>
            Not imported. {errorText(request.error)}
          </p>
        )}
        {request.isSuccess ? (
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        ) : (
          <Button
            look="primary"
            icon="download"
            disabled={request.isPending || chosen.size === 0}
            onClick={() => request.mutate()}
          >
            {request.isPending ? 'Importing…' : `Import ${countText(chosen.size, 'song')}`}
          </Button>
        )}
      </div>
    </>
  );
}

function SongLine({
  song,
  number,
  trackId,
  isChosen,
  onChoose,
  onOpen,
}: {
  song: CatalogTrack;
  number: number;
  /** Track of the library, or null. */
  trackId: string | null;
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  onOpen: () => void;
}) {
  return (
    <li>
      <label className={styles['song']}>
        <input
          type="checkbox"
          checked={isChosen || trackId !== null}
          disabled={trackId !== null}
          onChange={(event) => onChoose(event.target.checked)}
        />
        <span className={styles['number']} aria-hidden="true">
          {number}
        </span>
        <span className={styles['title']} title={song.title}>
          {song.title}
          <span>{song.artist}</span>
        </span>
        <span className={styles['time']}>{song.duration > 0 ? clockText(song.duration) : ''}</span>
      </label>
      {trackId !== null && (
        <Button
          small
          look="quiet"
          icon="check"
          title="Open the track"
          onClick={() => {
            onOpen();
            goTo({ track: trackId });
          }}
        >
          In library
        </Button>
      )}
    </li>
  );
}

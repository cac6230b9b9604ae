import type { CatalogCollection, CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { Patch } from '@stem-studio/dsp/format/audio-encoder';
import { renderCover } from '@stem-studio/dsp/synth/cover';
import type { DemoSong } from '@stem-studio/dsp/synth/demo-song';
import { demoSongs } from '@stem-studio/dsp/synth/demo-songs';
import { runInThread } from '../../../platform/process/thread.ts';
import type { CatalogEntry, CatalogProvider } from '../catalog-provider.ts';
import { coverUrl } from '../cover-url.ts';
import { localId, localLink } from '../local-id.ts';

const albumId = localId('album', 'demo');

/** Link of the album that is part of the studio. */
export const demoAlbumUrl = localLink('album', albumId);

const songs = new Map<string, DemoSong>(
  demoSongs.map((song) => [localId('track', `demo/${song.slug}`), song]),
);

function toEntry(id: string, song: DemoSong): CatalogEntry {
  const durationMs = Math.round(song.duration_seconds * 1000);
  const track: CatalogTrack = {
    catalog_id: id,
    title: song.title,
    artist: song.artist,
    album: song.album,
    album_art_url: coverUrl(id),
    duration: Math.round(song.duration_seconds),
    duration_ms: durationMs,
    catalog_url: localLink('track', id),
    genre: song.genre,
    isrc: null,
    explicit: false,
  };
  return { track, unusable: null };
}

/**
 * Creates the catalog of the songs that are part of the studio. They are not stored: an import synthesises the song in
 * a thread, as the file a catalog would deliver.
 */
export function createDemoAlbum(): CatalogProvider {
  const entries = [...songs].map(([id, song]) => toEntry(id, song));
  const [first] = demoSongs;
  const album: CatalogCollection = {
    type: 'album',
    title: first?.album ?? '',
    artist: first?.artist ?? '',
    track_count: entries.length,
    album_art_url: entries[0]?.track.album_art_url ?? null,
    catalog_url: demoAlbumUrl,
  };
  return {
    findTrack: (id) => Promise.resolve(entries.find((entry) => entry.track.catalog_id === id) ?? null),
    findAlbum: (id) =>
      Promise.resolve(id === albumId ? { title: demoSongs[0]?.album ?? '', entries, skipped: [] } : null),
    findPlaylist: () => Promise.resolve(null),
    search(query, offset, limit) {
      const wanted = query.toLowerCase().split(/\s+/).filter(Boolean);
      const hits = entries.filter(({ track }) => {
        const text = `${track.title} ${track.artist} ${track.album}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      });
      return Promise.resolve({ entries: hits.slice(offset, offset + limit), totalCount: hits.length });
    },
    listCollections(terms, offset, limit) {
      const text = `${album.title} ${album.artist}`.toLowerCase();
      const found = terms.every((word) => text.includes(word.toLowerCase())) ? [album] : [];
      return Promise.resolve({
        collections: found.slice(offset, offset + limit),
        totalCount: found.length,
      });
    },
    findCover(id) {
      const song = songs.get(id);
      return Promise.resolve(song ? { bytes: renderCover(song.cover), mediaType: 'image/png' } : null);
    },
    async receive(id, out, { signal, onProgress }) {
      const song = songs.get(id);
      if (!song) throw new Error(`no demo song has the id ${id}`);
      let writing = Promise.resolve();
      const { tail, patches } = await runInThread<{ tail: Uint8Array; patches: Patch[] }>({
        module: new URL('./render-demo.thread.ts', import.meta.url),
        input: { slug: song.slug },
        signal,
        onProgress(progress) {
          const { fraction, bytes } = progress as { fraction: number; bytes: Uint8Array };
          writing = writing.then(() => out.append(bytes));
          onProgress(fraction);
        },
      });
      await writing;
      await out.append(tail);
      for (const patch of patches) await out.patch(patch.offset, patch.bytes);
    },
  };
}

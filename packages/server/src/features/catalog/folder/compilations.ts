import { localId } from '../local-id.ts';

/** The part of an audio file's row that decides about its album. */
export interface AlbumFile {
  readonly path: string;
  readonly artist: string;
  readonly album: string;
  readonly album_id: string | null;
}

/** Folder of one disc of an album, such as `CD 2`. */
const discFolder = /(^|\/)(cd|disc|disk)[ _-]?\d+$/i;

/** Returns the folder of an album: that of the file, or the one above a folder of one disc. */
function albumFolder(path: string): string {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder.replace(discFolder, '');
}

/**
 * Returns the files whose album id has to change, so that a compilation without the tag of an album artist is one album:
 * a folder with one album and several artists. Files that name an album artist of their own keep their album. A folder
 * of several albums is no album folder, and neither is the catalog folder itself.
 *
 * @param files files that name an album
 * @returns new album id by path
 */
export function regroupCompilations(files: readonly AlbumFile[]): Map<string, string> {
  const folders = new Map<string, AlbumFile[]>();
  for (const file of files) {
    const folder = albumFolder(file.path);
    const list = folders.get(folder);
    if (list) list.push(file);
    else folders.set(folder, [file]);
  }
  const changed = new Map<string, string>();
  for (const [folder, list] of folders) {
    const compilationId = localId('album', `\0${folder}\0${list[0]?.album ?? ''}`);
    const own = list.filter(
      ({ artist, album, album_id }) =>
        album_id === localId('album', `${artist}\0${album}`) || album_id === compilationId,
    );
    const albums = new Set(list.map(({ album }) => album));
    const artists = new Set(own.map(({ artist }) => artist));
    const isCompilation = folder !== '' && albums.size === 1 && artists.size > 1;
    for (const { path, artist, album, album_id } of own) {
      const id = isCompilation ? compilationId : localId('album', `${artist}\0${album}`);
      if (id !== album_id) changed.set(path, id);
    }
  }
  return changed;
}

import { TagLib } from 'taglib-wasm';

/** Tags of a rendition. */
export interface RenditionTags {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly genre: string;
  readonly isrc: string | null;
  readonly cover: { readonly bytes: Uint8Array; readonly mediaType: string } | null;
}

/**
 * Writes tags and cover into the MP3 (ID3v2) or FLAC (Vorbis comments) file at `path`, in place. Empty fields are left
 * out. Existing tags stay where no new value is given.
 *
 * @see https://id3.org/id3v2.4.0-frames
 */
export async function writeTags(path: string, tags: RenditionTags): Promise<void> {
  const library = await TagLib.initialize();
  await library.edit(path, (file) => {
    const tag = file.tag();
    if (tags.title !== '') tag.setTitle(tags.title);
    if (tags.artist !== '') tag.setArtist(tags.artist);
    if (tags.album !== '') tag.setAlbum(tags.album);
    if (tags.genre !== '') tag.setGenre(tags.genre);
    if (tags.isrc !== null) file.setProperty('isrc', tags.isrc);
    if (tags.cover) {
      file.setPictures([{ mimeType: tags.cover.mediaType, data: tags.cover.bytes, type: 'FrontCover' }]);
    }
  });
}

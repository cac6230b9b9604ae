import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Picture } from 'taglib-wasm';

/** Tags of an exported file; empty ones are omitted. */
export interface StemTags {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly genre: string;
  /** Integer beats per minute. */
  readonly bpm: string;
  /** Musical key, such as `Am`. */
  readonly initialKey: string;
}

async function readCover(path: string): Promise<Picture> {
  return {
    mimeType: `image/${extname(path).slice(1)}`,
    data: new Uint8Array(await readFile(path)),
    type: 'FrontCover',
  };
}

/**
 * Writes tags and cover art into an audio file. A file on disk is changed in place, one in memory is returned
 * changed. `coverPath` is absolute, its extension gives the image type; null for no cover art.
 */
export async function writeStemTags(path: string, tags: StemTags, coverPath: string | null): Promise<void>;
export async function writeStemTags(
  bytes: Uint8Array,
  tags: StemTags,
  coverPath: string | null,
): Promise<Uint8Array>;
export async function writeStemTags(
  target: string | Uint8Array,
  tags: StemTags,
  coverPath: string | null,
): Promise<unknown> {
  const cover = coverPath === null ? null : await readCover(coverPath);
  const { TagLib } = await import('taglib-wasm');
  const library = await TagLib.initialize();
  // The library has overloads for paths and bytes.
  return library.edit(target as Uint8Array, (file) => {
    if (cover) file.setPictures([cover]);
    for (const [name, value] of Object.entries(tags))
      if (value !== '') file.setProperty(name === 'initialKey' ? 'INITIALKEY' : name, value);
  });
}

import { ByteReader } from './byte-reader.ts';
import { OggPageReader } from './ogg-pages.ts';

/** Number of bytes at the end of an Ogg file that contain a whole page: none is longer than half of it. */
export const OGG_END_BYTES = 1 << 17;

/**
 * Returns the last position of the logical stream `serial` at the end of an Ogg file, in the unit of the codec.
 *
 * It is null if another stream follows, as in a chain, or if `end` contains no page of the stream.
 */
export async function findLastGranule(end: Uint8Array, serial: number): Promise<number | null> {
  const pages = new OggPageReader(new ByteReader(asChunk(end)));
  let granule: number | null = null;
  for (let page = await pages.next(); page !== null; page = await pages.next()) {
    if (page.isFirst && page.serial !== serial) granule = null;
    else if (page.serial === serial) granule = page.granule ?? granule;
  }
  return granule;
}

async function* asChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes;
}

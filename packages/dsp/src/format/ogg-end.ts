import { ByteReader } from './byte-reader.ts';
import { OggPageReader } from './ogg-pages.ts';

/** Bytes at the end of an Ogg file that hold one whole page at least: none is longer than half of it. */
export const OGG_END_BYTES = 1 << 17;

/**
 * The last position that the end of an Ogg file tells for the logical stream `serial`, in the codec's own count; null
 * where another stream begins behind it, as in a chain, or the stream does not reach into `end`.
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

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { makeZip, predictLength } from 'client-zip';

/** File to be added to a ZIP. */
export interface ZipFile {
  readonly name: string;
  readonly modified: Date;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/**
 * Returns the exact length in bytes of the ZIP that {@link zipStream} produces for files of these names and sizes.
 */
export function zipBytes(files: readonly { readonly name: string; readonly bytes: number }[]): bigint {
  return predictLength(files.map(({ name, bytes }) => ({ name, size: bytes })));
}

/**
 * Creates a ZIP while it is read. Files are stored uncompressed one after the other, with ZIP64 where a number does
 * not fit. Destroying the stream ends the open file and the generator of the files, whose `finally` blocks run.
 *
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.9: sizes and checksum follow the data)
 */
export function zipStream(files: AsyncIterable<ZipFile>): Readable {
  async function* inputs() {
    for await (const { name, modified, bytes } of files) {
      const iterator = bytes[Symbol.asyncIterator]();
      try {
        yield { name, lastModified: modified, input: { [Symbol.asyncIterator]: () => iterator } };
      } finally {
        await iterator.return?.();
      }
    }
  }
  const source = inputs();
  // With browser types also loaded, Node's class has a different type name.
  const made: object = makeZip(source);
  const zip = Readable.fromWeb(made as ReadableStream<Uint8Array>);
  // The library does not end it if a file cannot be read.
  zip.once('close', () => void source.return().catch(() => undefined));
  return zip;
}

import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { makeZip, predictLength } from 'client-zip';

/** A file that goes into a ZIP. */
export interface ZipFile {
  readonly name: string;
  readonly modified: Date;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** The exact length in bytes of the ZIP that {@link zipStream} makes of files of these names and sizes. */
export function zipBytes(files: readonly { readonly name: string; readonly bytes: number }[]): bigint {
  return predictLength(files.map(({ name, bytes }) => ({ name, size: bytes })));
}

/**
 * A ZIP that is made while it is read: files are stored as they are, one after the other, ZIP64 where a number does not
 * fit. Whoever stops reading (destroys the stream) ends the file that is open and the generator of the files, whose
 * `finally` blocks run.
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
  // Where the browser's types are known too, Node's class goes by another name.
  const made: object = makeZip(source);
  const zip = Readable.fromWeb(made as ReadableStream<Uint8Array>);
  // The library does not end it when a file cannot be read.
  zip.once('close', () => void source.return().catch(() => undefined));
  return zip;
}

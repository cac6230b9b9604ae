/** Error for an archive that is damaged or not a tar archive; the message states the violated rule. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

/** A regular file of an archive. Its content must be read, or it is skipped. */
export interface TarEntry {
  /** Path in the archive, without a leading `./`. */
  readonly name: string;
  readonly bytes: number;
  /** Yields the content in pieces. */
  content(): AsyncGenerator<Buffer>;
}

const blockBytes = 512;
const regularTypes = ['0', '\0', '7'];

/**
 * Yields the regular files of a tar archive one after the other. Folders, links and extended headers are skipped. Names
 * of more than 100 characters have their long form in an extended header and are not supported.
 *
 * @throws TarError if it is damaged or ends early
 * @see POSIX.1-2017, pax, ustar interchange format
 */
export async function* tarEntries(chunks: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = byteSource(chunks);
  for (let isFirst = true; ; isFirst = false) {
    const header = await source.take(blockBytes);
    if (header === null) {
      if (isFirst) throw new TarError('the archive is empty');
      throw new TarError('the archive ends without its last block');
    }
    if (header.every((byte) => byte === 0)) return;
    checkHeader(header);
    const bytes = octal(header, 124, 12);
    const padding = (blockBytes - (bytes % blockBytes)) % blockBytes;
    let left = bytes;
    const content = async function* (): AsyncGenerator<Buffer> {
      while (left > 0) {
        const piece = await source.some(left);
        if (piece === null) throw new TarError('the archive ends inside a file');
        left -= piece.length;
        yield piece;
      }
    };
    if (regularTypes.includes(String.fromCharCode(header[156] as number)))
      yield { name: text(header, 0, 100).replace(/^(\.\/)+/, ''), bytes, content };
    for await (const _ of content());
    if (padding > 0 && (await source.take(padding)) === null)
      throw new TarError('the archive ends inside a file');
  }
}

function text(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString('utf8');
}

function octal(header: Buffer, from: number, length: number): number {
  const field = text(header, from, length).trim();
  if (!/^[0-7]+$/.test(field)) throw new TarError(`a number of the archive cannot be read (got "${field}")`);
  return Number.parseInt(field, 8);
}

/** Checks the sum of a header's bytes, in which the sum itself counts as blanks. */
function checkHeader(header: Buffer): void {
  const sum = header.reduce((all, byte, at) => all + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== octal(header, 148, 8)) throw new TarError('it is no tar archive, or a header is damaged');
}

/** Reads exact numbers of bytes from pieces of any size. */
function byteSource(chunks: AsyncIterable<Buffer>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  /** Returns up to `most` bytes that are there, or null at the end. */
  const some = async (most: number): Promise<Buffer | null> => {
    while (held.length === 0) {
      const next = await iterator.next();
      if (next.done === true) return null;
      held = next.value;
    }
    const piece = held.subarray(0, most);
    held = held.subarray(piece.length);
    return piece;
  };
  return {
    some,
    /** Returns exactly `count` bytes, or null where fewer follow. */
    async take(count: number): Promise<Buffer | null> {
      const parts: Buffer[] = [];
      for (let left = count; left > 0; ) {
        const piece = await some(left);
        if (piece === null) return null;
        parts.push(piece);
        left -= piece.length;
      }
      return Buffer.concat(parts);
    },
  };
}

import { CheckpointError } from './checkpoint-error.ts';
import { crc32c, maskCrc32c } from './crc32c.ts';
import { createWireReader, uint32At, type WireReader } from './wire-reader.ts';

/** Metaindex and index handle, padding, and the magic number. */
const footerBytes = 48;
const magic = [0xdb, 0x47, 0x75, 0x24, 0x8b, 0x80, 0xfb, 0x57].toReversed();
/** One byte for the compression, four for the checksum. */
const trailerBytes = 5;
const mostEntries = 100_000;

/** An entry of a table. */
export interface TableEntry {
  readonly key: string;
  readonly value: Uint8Array;
}

/**
 * Returns the entries of a sorted table (SSTable) of LevelDB without compression, in their order.
 *
 * @throws CheckpointError if it is damaged, compressed or not sorted
 * @see https://github.com/google/leveldb/blob/main/doc/table_format.md
 */
export function readSortedTable(file: Uint8Array): TableEntry[] {
  if (file.length < footerBytes)
    throw new CheckpointError(`a table must have ${footerBytes} bytes or more (got ${file.length})`);
  const footer = file.subarray(file.length - footerBytes);
  if (magic.some((byte, i) => footer[footerBytes - 8 + i] !== byte))
    throw new CheckpointError('it is no sorted table: its last eight bytes are others');
  const handles = createWireReader(footer.subarray(0, footerBytes - 8));
  // Bundles put nothing into the metaindex, but damage there is damage too.
  readBlock(file, readHandle(handles));
  const index = readBlock(file, readHandle(handles));
  const entries = index.flatMap(({ value }) => readBlock(file, readHandle(createWireReader(value))));
  if (entries.length > mostEntries)
    throw new CheckpointError(`a table must have ${mostEntries} entries or fewer (got ${entries.length})`);
  for (const [i, { key }] of entries.entries())
    if (i > 0 && key <= (entries[i - 1] as TableEntry).key)
      throw new CheckpointError(`the keys of a table must be sorted (got ${JSON.stringify(key)} too late)`);
  return entries;
}

/** Position and size of a block in bytes. */
interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

function readHandle(reader: WireReader): BlockHandle {
  return { offset: reader.varint(), size: reader.varint() };
}

function readBlock(file: Uint8Array, { offset, size }: BlockHandle): TableEntry[] {
  if (size < 4 || offset + size + trailerBytes > file.length - footerBytes)
    throw new CheckpointError(`a block of ${size} bytes at ${offset} is outside the table`);
  const checked = file.subarray(offset, offset + size + 1);
  if (maskCrc32c(crc32c(checked)) !== uint32At(file, offset + size + 1))
    throw new CheckpointError(`the block at ${offset} is damaged: its checksum differs`);
  if (checked[size] !== 0)
    throw new CheckpointError(`the table must not be compressed (got compression ${checked[size]})`);
  const block = checked.subarray(0, size);
  const restarts = uint32At(block, size - 4);
  const contentBytes = size - 4 - 4 * restarts;
  if (contentBytes < 0) throw new CheckpointError(`the block at ${offset} has too many restarts`);
  return readEntries(block.subarray(0, contentBytes));
}

/** Returns the entries of a block. Each key is stored without the beginning that it shares with the one before. */
function readEntries(content: Uint8Array): TableEntry[] {
  const reader = createWireReader(content);
  const entries: TableEntry[] = [];
  let key = '';
  while (reader.offset < content.length) {
    const shared = reader.varint();
    const ownBytes = reader.varint();
    const valueBytes = reader.varint();
    if (shared > key.length) throw new CheckpointError('a key shares more than the one before it has');
    // One character per byte, so that lengths are those of the table.
    key = key.slice(0, shared) + String.fromCharCode(...reader.bytes(ownBytes));
    entries.push({ key, value: reader.bytes(valueBytes) });
  }
  return entries;
}

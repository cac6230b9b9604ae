import { crc32Ogg } from '../format/checksum.ts';

/** A page of an Ogg file that a test can change. `flags`: 1 continued, 2 first, 4 last. */
export interface TestPage {
  flags: number;
  granule: bigint;
  serial: number;
  sequence: number;
  lacing: number[];
  body: Uint8Array;
}

/** Splits an Ogg file into its pages. */
export function splitOgg(file: Uint8Array): TestPage[] {
  const pages: TestPage[] = [];
  for (let at = 0; at < file.length; ) {
    const view = new DataView(file.buffer, file.byteOffset + at);
    const lacing = [...file.subarray(at + 27, at + 27 + view.getUint8(26))];
    const bodyStart = at + 27 + lacing.length;
    const bodyEnd = bodyStart + lacing.reduce((sum, piece) => sum + piece, 0);
    pages.push({
      flags: view.getUint8(5),
      granule: view.getBigInt64(6, true),
      serial: view.getUint32(14, true),
      sequence: view.getUint32(18, true),
      lacing,
      body: file.slice(bodyStart, bodyEnd),
    });
    at = bodyEnd;
  }
  return pages;
}

/** Joins pages to a file, with correct checksums. */
export function joinOgg(pages: readonly TestPage[]): Uint8Array {
  const parts = pages.map(({ flags, granule, serial, sequence, lacing, body }) => {
    const page = new Uint8Array(27 + lacing.length + body.length);
    const view = new DataView(page.buffer);
    page.set([0x4f, 0x67, 0x67, 0x53, 0, flags]);
    view.setBigInt64(6, granule, true);
    view.setUint32(14, serial, true);
    view.setUint32(18, sequence, true);
    page[26] = lacing.length;
    page.set(lacing, 27);
    page.set(body, 27 + lacing.length);
    view.setUint32(22, crc32Ogg(page, page.length), true);
    return page;
  });
  const file = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}

/** Corrects the checksum of every page, as far as the pages can still be separated. */
export function repairOgg(file: Uint8Array): Uint8Array {
  const repaired = file.slice();
  for (let at = 0; at + 27 <= repaired.length; at++) {
    if (String.fromCharCode(...repaired.subarray(at, at + 4)) !== 'OggS') continue;
    const lacing = repaired.subarray(at + 27, at + 27 + (repaired[at + 26] ?? 0));
    const length = 27 + lacing.length + lacing.reduce((sum, piece) => sum + piece, 0);
    const page = repaired.subarray(at, at + length);
    new DataView(page.buffer, page.byteOffset).setUint32(22, crc32Ogg(page, page.length), true);
  }
  return repaired;
}

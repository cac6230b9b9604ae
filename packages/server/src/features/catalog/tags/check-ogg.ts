import type { FileWindow } from './file-window.ts';
import { requireCount, requireSize, tagLimits } from './tag-limits.ts';

const headBytes = 27;
/** Limit of the encoder name. The count of comments follows it and must be in the buffered part of the packet. */
const maxVendorBytes = 100_000;
/** Markers at the start of the comment packet of Vorbis and Opus; FLAC in Ogg has none. */
const marks = ['\x03vorbis', 'OpusTags'];

/**
 * Checks the headers of an Ogg file: the pages from `start` up to the first with a granule position. Assembles the
 * comment packet as far as its count; the packet's own size limits its comments.
 *
 * @see https://www.rfc-editor.org/rfc/rfc3533#section-6
 */
export async function checkOgg(file: FileWindow, start: number): Promise<void> {
  let at = start;
  let total = 0;
  let beginning = Buffer.alloc(0);
  let isInComments = false;
  for (let pages = 1; at + headBytes <= file.size; pages++) {
    requireCount('pages of headers', pages, tagLimits.blocks);
    const head = await file.read(at, headBytes + 255);
    if (head.toString('latin1', 0, 4) !== 'OggS') return;
    const granule = head.readBigInt64LE(6);
    const pieces = head.subarray(headBytes, headBytes + (head[26] ?? 0));
    const bodyBytes = pieces.reduce((sum, piece) => sum + piece, 0);
    const bodyAt = at + headBytes + pieces.length;
    if (granule > 0n) return;
    total += bodyBytes;
    requireSize('its Ogg headers', total, tagLimits.tagBytes);
    const body = await file.read(bodyAt, Math.min(bodyBytes, 65_000));
    const found = marks.map((mark) => body.indexOf(mark, 0, 'latin1')).find((index) => index >= 0);
    if (!isInComments && found !== undefined) {
      isInComments = true;
      beginning = Buffer.from(body.subarray(found));
    } else if (isInComments && beginning.length < 200_000) beginning = Buffer.concat([beginning, body]);
    if (isInComments) checkCount(beginning);
    at = bodyAt + bodyBytes;
  }
}

/** Checks the count of comments once enough of their packet is available. */
function checkCount(packet: Buffer): void {
  const markBytes = packet.toString('latin1', 0, 8) === 'OpusTags' ? 8 : 7;
  if (packet.length < markBytes + 4) return;
  const vendor = packet.readUInt32LE(markBytes);
  requireSize('the name of its encoder', vendor, maxVendorBytes);
  const at = markBytes + 4 + vendor;
  if (packet.length >= at + 4) requireCount('comments', packet.readUInt32LE(at), tagLimits.fields);
}

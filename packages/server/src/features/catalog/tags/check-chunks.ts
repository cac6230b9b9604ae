import { checkId3 } from './check-id3.ts';
import type { FileWindow } from './file-window.ts';
import { requireCount, requireSize, tagLimits } from './tag-limits.ts';

/** Chunks of audio and padding, which the parser skips whatever their size. */
const skipped = /^(data|SSND|JUNK|junk|PAD |FLLR|free|bext|smpl|PEAK|levl|ds64)$/;

/**
 * Checks the chunks of a WAV (`little`) or AIFF (`big`) file at `start`.
 *
 * @see https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 */
export async function checkChunks(
  file: FileWindow,
  start: number,
  byteOrder: 'little' | 'big',
): Promise<void> {
  let at = start + 12;
  for (let chunks = 1; at + 8 <= file.size; chunks++) {
    requireCount('chunks', chunks, tagLimits.blocks);
    const head = await file.read(at, 8);
    if (head.length < 8) return;
    const id = head.toString('latin1', 0, 4);
    const size = byteOrder === 'little' ? head.readUInt32LE(4) : head.readUInt32BE(4);
    if (/^id3 $/i.test(id)) await checkId3(file, at + 8);
    else if (id === 'LIST') await checkInfo(file, at + 12, Math.min(file.size, at + 8 + size));
    else if (!skipped.test(id)) {
      const held = Math.min(size, file.size - at);
      requireSize(`its chunk ${JSON.stringify(id)}`, held, tagLimits.pictureBytes);
    }
    at += 8 + size + (size % 2);
  }
}

/** Checks the texts of a LIST chunk. */
async function checkInfo(file: FileWindow, start: number, end: number): Promise<void> {
  let at = start;
  for (let fields = 1; at + 8 <= end; fields++) {
    requireCount('texts in its LIST chunk', fields, tagLimits.fields);
    const head = await file.read(at, 8);
    if (head.length < 8) return;
    const size = head.readUInt32LE(4);
    // A text that exceeds its list is damaged; the parser reports that.
    if (at + 8 + size > end) return;
    requireSize('a text in its LIST chunk', size, tagLimits.textBytes);
    at += 8 + size + (size % 2);
  }
}

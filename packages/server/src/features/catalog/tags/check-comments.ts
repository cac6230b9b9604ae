import type { FileWindow } from './file-window.ts';
import { requireCount, requireSize, tagLimits } from './tag-limits.ts';

/**
 * Checks the Vorbis comments in `length` bytes from `offset` on, and returns their stated number. A comment with a
 * picture may be as large as a picture in base64.
 *
 * @see https://xiph.org/vorbis/doc/v-comment.html
 */
export async function checkComments(file: FileWindow, offset: number, length: number): Promise<number> {
  const end = Math.min(file.size, offset + length);
  const vendor = await lengthAt(file, offset, end);
  if (vendor === null) return 0;
  let at = offset + 4 + vendor;
  const count = await lengthAt(file, at, end);
  if (count === null) return 0;
  requireCount('comments', count, tagLimits.fields);
  at += 4;
  for (let index = 0; index < count; index++) {
    const bytes = await lengthAt(file, at, end);
    if (bytes === null || at + 4 + bytes > end) break;
    if (bytes > tagLimits.textBytes) {
      const name = (await file.read(at + 4, 64)).toString('latin1').split('=')[0] ?? '';
      const isPicture = /^(metadata_block_picture|coverart)$/i.test(name);
      if (isPicture) requireSize('a picture', Math.floor((bytes * 3) / 4), tagLimits.pictureBytes);
      else requireSize(`its comment ${name.slice(0, 40)}`, bytes, tagLimits.textBytes);
    }
    at += 4 + bytes;
  }
  return count;
}

async function lengthAt(file: FileWindow, at: number, end: number): Promise<number | null> {
  if (at + 4 > end) return null;
  const bytes = await file.read(at, 4);
  return bytes.length < 4 ? null : bytes.readUInt32LE(0);
}

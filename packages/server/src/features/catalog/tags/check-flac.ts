import { checkComments } from './check-comments.ts';
import type { FileWindow } from './file-window.ts';
import { requireCount, tagLimits } from './tag-limits.ts';

const vorbisComment = 4;

/**
 * Checks the metadata blocks of a FLAC file from `offset` on, after the `fLaC` marker. The format limits a block, and
 * so a picture, to less than 16 MiB.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9639#section-8
 */
export async function checkFlac(file: FileWindow, offset: number): Promise<void> {
  let at = offset;
  let total = 0;
  for (let blocks = 1; at + 4 <= file.size; blocks++) {
    requireCount('blocks of metadata', blocks, tagLimits.blocks);
    const head = await file.read(at, 4);
    const type = (head[0] ?? 0) & 0x7f;
    const isLast = ((head[0] ?? 0) & 0x80) !== 0;
    const length = head.readUIntBE(1, 3);
    if (type === vorbisComment) total += await checkComments(file, at + 4, length);
    requireCount('comments', total, tagLimits.fields);
    if (isLast) return;
    at += 4 + length;
  }
}

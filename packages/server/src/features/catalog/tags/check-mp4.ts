import type { FileWindow } from './file-window.ts';
import { requireCount, requireSize, tagLimits } from './tag-limits.ts';

/** Atoms that contain atoms; the value is the number of bytes before the first. */
const containers: Readonly<Record<string, number>> = {
  moov: 0,
  udta: 0,
  meta: 4,
  ilst: 0,
  trak: 0,
  mdia: 0,
  minf: 0,
  stbl: 0,
  moof: 0,
  traf: 0,
};
/** Atoms that are skipped whatever their size. */
const skipped = /^(mdat|free|skip|wide|uuid|pnot|mfra|sidx)$/;

interface Level {
  readonly end: number;
  readonly isItemList: boolean;
}

/**
 * Checks the atoms of an MP4 file. A table of samples counts as data of another program, a text atom as part of its
 * item.
 *
 * @see ISO/IEC 14496-12, 4.2
 */
export async function checkMp4(file: FileWindow): Promise<void> {
  const levels: Level[] = [{ end: file.size, isItemList: false }];
  let at = 0;
  let tagBytes = 0;
  for (let atoms = 1; levels.length > 0; ) {
    const level = levels.at(-1) as Level;
    if (at + 8 > level.end) {
      at = level.end;
      levels.pop();
      continue;
    }
    requireCount('atoms', atoms++, tagLimits.atoms);
    const head = await file.read(at, 16);
    if (head.length < 8) return;
    const name = head.toString('latin1', 4, 8);
    const { headBytes, size } = sizeOf(head, level.end - at);
    if (size < headBytes || level.end - at < headBytes) return;
    const payload = Math.min(size, level.end - at) - headBytes;
    const before = level.isItemList ? undefined : await bytesBefore(file, name, at + headBytes);
    if (before !== undefined && payload >= before) {
      requireCount('levels of atoms', levels.length, tagLimits.depth);
      levels.push({ end: Math.min(level.end, at + size), isItemList: name === 'ilst' });
      at += headBytes + before;
      continue;
    }
    if (!skipped.test(name)) {
      requireSize(`its atom ${JSON.stringify(name)}`, payload, tagLimits.pictureBytes + 1024);
      tagBytes += payload;
      requireSize('its atoms together', tagBytes, tagLimits.tagBytes);
    }
    at += size;
  }
}

/** Returns the bytes before the first atom inside an atom of this name; undefined where it contains none. */
async function bytesBefore(file: FileWindow, name: string, at: number): Promise<number | undefined> {
  const before = containers[name];
  if (name !== 'meta') return before;
  // The `meta` atom of QuickTime has no version field: its first atom begins at once.
  const first = (await file.read(at, 8)).toString('latin1', 4, 8);
  return first === 'hdlr' ? 0 : before;
}

function sizeOf(head: Buffer, left: number): { headBytes: number; size: number } {
  const stated = head.readUInt32BE(0);
  if (stated === 0) return { headBytes: 8, size: left };
  if (stated !== 1 || head.length < 16) return { headBytes: 8, size: stated };
  return { headBytes: 16, size: Number(head.readBigUInt64BE(8)) };
}

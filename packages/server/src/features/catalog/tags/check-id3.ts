import type { FileWindow } from './file-window.ts';
import { requireCount, requireSize, tagLimits } from './tag-limits.ts';

const unsynchronised = 0x80;
const extended = 0x40;
const hasFooter = 0x10;

/** Decodes a synchsafe integer: four bytes of seven bits each. Null where a byte has eight. */
function synchsafe(bytes: Buffer, at: number): number | null {
  const four = [...bytes.subarray(at, at + 4)];
  if (four.length < 4 || four.some((byte) => byte > 0x7f)) return null;
  return four.reduce((sum, byte) => sum * 128 + byte, 0);
}

/**
 * Checks the ID3v2 tag at `offset`. Returns the offset of its end, which is `offset` where there is none.
 *
 * @see https://id3.org/id3v2.3.0 and https://id3.org/id3v2.4.0-structure
 */
export async function checkId3(file: FileWindow, offset: number): Promise<number> {
  const head = await file.read(offset, 10);
  const size = head.toString('latin1', 0, 3) === 'ID3' ? synchsafe(head, 6) : null;
  if (size === null) return offset;
  const version = head[3] ?? 0;
  const flags = head[5] ?? 0;
  requireSize('its ID3 tag', Math.min(size, file.size - offset), tagLimits.tagBytes);
  const end = offset + 10 + size + ((flags & hasFooter) === 0 ? 0 : 10);
  // Before version 4, sizes refer to the tag after removal of unsynchronisation, so its frames cannot be walked.
  if ((flags & unsynchronised) !== 0 && version < 4) return end;
  let at = offset + 10;
  if ((flags & extended) !== 0 && version >= 3) {
    const sizeBytes = await file.read(at, 4);
    const length = version === 4 ? synchsafe(sizeBytes, 0) : (sizeBytes.readUInt32BE(0) ?? 0) + 4;
    at += length ?? 0;
  }
  await checkFrames(file, at, Math.min(file.size, offset + 10 + size), version);
  return end;
}

async function checkFrames(file: FileWindow, start: number, end: number, version: number): Promise<void> {
  const isShort = version === 2;
  const headBytes = isShort ? 6 : 10;
  let at = start;
  for (let frames = 1; at + headBytes <= end; frames++) {
    const head = await file.read(at, headBytes);
    const id = head.toString('latin1', 0, isShort ? 3 : 4);
    if (head.length < headBytes || !/^[A-Z0-9 ]{3,4}$/.test(id)) return;
    requireCount('ID3 frames', frames, tagLimits.fields);
    const stated = isShort
      ? head.readUIntBE(3, 3)
      : version === 4
        ? (synchsafe(head, 4) ?? head.readUInt32BE(4))
        : head.readUInt32BE(4);
    const size = Math.min(stated, end - at - headBytes);
    const isText = /^[TW]|^COM|^USL|^ULT|^SYL|^SLT|^CHAP|^CTOC/.test(id);
    if (isText) requireSize(`its ID3 frame ${id}`, size, tagLimits.textBytes);
    else requireSize(isPicture(id) ? 'a picture' : `its ID3 frame ${id}`, size, tagLimits.pictureBytes);
    at += headBytes + size;
  }
}

const isPicture = (id: string) => id === 'APIC' || id === 'PIC';

import { checkChunks } from './check-chunks.ts';
import { checkFlac } from './check-flac.ts';
import { checkId3 } from './check-id3.ts';
import { checkMp4 } from './check-mp4.ts';
import { checkOgg } from './check-ogg.ts';
import type { FileWindow } from './file-window.ts';
import { requireCount, requireSize, tagLimits } from './tag-limits.ts';

/**
 * Checks the sizes and counts that a file states about its tags, without reading the tags. The tag parser then receives
 * only files within the limits. Damaged and unknown files pass: the parser rejects them.
 *
 * @throws TagLimitError where the file states more than a limit allows
 */
export async function checkStructure(file: FileWindow): Promise<void> {
  const start = await checkLeadingTags(file);
  const head = await file.read(start, 12);
  const magic = head.toString('latin1', 0, 4);
  const form = head.toString('latin1', 8, 12);
  if (magic === 'fLaC') await checkFlac(file, start + 4);
  else if (magic === 'OggS') await checkOgg(file, start);
  else if (magic === 'RIFF' || magic === 'RF64' || magic === 'BW64') await checkChunks(file, start, 'little');
  else if (magic === 'FORM' && form.startsWith('AIF')) await checkChunks(file, start, 'big');
  else if (head.toString('latin1', 4, 8) === 'ftyp') await checkMp4(file);
  await checkApe(file);
}

/** Checks the ID3v2 tags at the beginning, and returns the offset of their end. */
async function checkLeadingTags(file: FileWindow): Promise<number> {
  let offset = 0;
  for (let tags = 1; ; tags++) {
    const end = await checkId3(file, offset);
    if (end === offset) return offset;
    requireCount('ID3 tags', tags, tagLimits.blocks);
    offset = end;
  }
}

/**
 * Checks an APEv2 tag at the end, before an ID3v1 tag where there is one.
 *
 * @see https://wiki.hydrogenaud.io/index.php?title=APE_Tags_Header
 */
async function checkApe(file: FileWindow): Promise<void> {
  const start = Math.max(0, file.size - 65_536);
  const tail = await file.read(start, 65_536);
  const at = tail.lastIndexOf('APETAGEX');
  if (at < 0 || at + 24 > tail.length) return;
  requireSize('its APE tag', Math.min(file.size, tail.readUInt32LE(at + 12)), tagLimits.tagBytes);
  requireCount('APE items', tail.readUInt32LE(at + 16), tagLimits.fields);
}

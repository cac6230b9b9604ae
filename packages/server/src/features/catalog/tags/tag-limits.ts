/**
 * Limits of the tags of one file. A file that exceeds them keeps its audio and its file name; its tags are not read.
 * The values are far above what programs write and far below what would be harmful: a parser allocates memory by
 * lengths stated in the file, so each is checked before the parser runs.
 */
export const tagLimits = {
  /** Number of fields: Vorbis comments, ID3v2 frames, APEv2 items. Classical albums have some hundreds. */
  fields: 10_000,
  /** Bytes of one text field. Lyrics and cue sheets are tens of kilobytes. */
  textBytes: 1_000_000,
  /** Bytes of one picture, or of another program's data. Scans of covers are 1 to 10 MB. */
  pictureBytes: 16_777_216,
  /** Bytes of a whole tag, with all its pictures, and of one read of the parser. */
  tagBytes: 64_000_000,
  /** Number of blocks of a FLAC file, chunks of a WAV or AIFF file, or consecutive tags. */
  blocks: 10_000,
  /** Number of atoms of an MP4 file; a fragmented one has two per fragment of some seconds. */
  atoms: 100_000,
  /** Nesting depth of atoms. Programs write 8 levels at most. */
  depth: 16,
} as const;

/** Error of a file that states more than {@link tagLimits} allows. The message names the excess and the limit. */
export class TagLimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TagLimitError';
  }
}

/**
 * Checks that `count` is within its limit.
 *
 * @throws {@link TagLimitError}
 */
export function requireCount(what: string, count: number, limit: number): void {
  if (count > limit)
    throw new TagLimitError(
      `it has ${count.toLocaleString('en')} ${what} (at most ${limit.toLocaleString('en')})`,
    );
}

/**
 * Checks that a size in bytes is within its limit. A stated size beyond the end of the file is damage, which the parser
 * reports: callers pass no more than the size of the file.
 *
 * @throws {@link TagLimitError}
 */
export function requireSize(what: string, bytes: number, limit: number): void {
  if (bytes > limit)
    throw new TagLimitError(
      `${what} has ${Math.ceil(bytes / 1e6)} MB (at most ${Math.ceil(limit / 1e6)} MB)`,
    );
}

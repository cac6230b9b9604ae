/**
 * What the tags of one file may hold. A file beyond it keeps its audio and its file name; its tags are not read. The
 * values are far above what programs write and far below what would hurt: a parser allocates by lengths that the file
 * states, so each is checked before the parser sees the file.
 */
export const tagLimits = {
  /** Fields: Vorbis comments, ID3v2 frames, APEv2 items. Classical albums have some hundreds. */
  fields: 10_000,
  /** Bytes of one text field. Lyrics and cue sheets are tens of kilobytes. */
  textBytes: 1_000_000,
  /** Bytes of one picture, or of another program's data. Scans of covers are 1 to 10 MB. */
  pictureBytes: 16_777_216,
  /** Bytes of a whole tag, with all its pictures, and of one read of the parser. */
  tagBytes: 64_000_000,
  /** Blocks of a FLAC file, chunks of a WAV or AIFF file, tags that follow one another. */
  blocks: 10_000,
  /** Atoms of an MP4 file; a fragmented one has two for each fragment of some seconds. */
  atoms: 100_000,
  /** Atoms inside one another. Programs write 8 levels at most. */
  depth: 16,
} as const;

/** Thrown where a file states more than {@link tagLimits} allows. The message says what, and the limit. */
export class TagLimitError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TagLimitError';
  }
}

/** Throws {@link TagLimitError} unless `count` of something is within its limit. */
export function requireCount(what: string, count: number, limit: number): void {
  if (count > limit)
    throw new TagLimitError(
      `it has ${count.toLocaleString('en')} ${what} (at most ${limit.toLocaleString('en')})`,
    );
}

/**
 * Throws {@link TagLimitError} unless the size of something, in bytes, is within its limit. What is stated to be longer
 * than the file is damaged, which is for the parser to say: callers give no more than the file has.
 */
export function requireSize(what: string, bytes: number, limit: number): void {
  if (bytes > limit)
    throw new TagLimitError(
      `${what} has ${Math.ceil(bytes / 1e6)} MB (at most ${Math.ceil(limit / 1e6)} MB)`,
    );
}

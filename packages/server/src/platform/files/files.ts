import type { Quarantine } from './quarantine.ts';

declare module '../context.ts' {
  interface Context {
    readonly files: Files;
  }
}

/** A file that is being written beside its final place. */
export interface AsideFile {
  append(bytes: Uint8Array): Promise<void>;
  /** Overwrites bytes that were appended before, such as a header that knows its length only at the end. */
  patch(offset: number, bytes: Uint8Array): Promise<void>;
}

/** A private temporary folder on the same file system as the files, for child processes. */
export interface AsideFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Moves one of its files to its final place, whole or not at all. Replaces what was there. */
  publish(name: string, relativePath: string): Promise<{ bytes: number }>;
  /** Moves all of its files there, each whole; the folder is empty afterwards. */
  publishFolder(relativePath: string): Promise<string[]>;
  /** Removes the folder and what is left in it. Call it in every case; twice does no harm. */
  remove(): Promise<void>;
}

/** Size and age of a stored file. */
export interface FileFacts {
  readonly bytes: number;
  readonly modified: Date;
}

/** A folder and when something was last put into it. */
export interface FolderFacts {
  readonly name: string;
  readonly modified: Date;
}

/** Which bytes to read: from `start` up to and including `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/**
 * Everything that the service keeps beside the database, by relative path: `/` between names, no `..`, nothing
 * absolute. A path that breaks the rule, or leads outside through a link, throws. Behind this stands a folder now and
 * may stand an object store later.
 */
export interface Files {
  /** Writes a file beside its place and renames it once it is whole and on the disk. On a throw nothing remains. */
  writeAside(path: string, write: (out: AsideFile) => Promise<void>): Promise<{ bytes: number }>;
  aside(): Promise<AsideFolder>;
  /** Where the file lies on this machine: what decoders and child processes are given. */
  absolute(path: string): string;
  /** The bytes of a file, or of a part of it, in pieces. Throws `ENOENT` where there is none. */
  read(path: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Null where there is no such file. */
  stat(path: string): Promise<FileFacts | null>;
  /** Removes a file; one that is not there is no error. */
  remove(path: string): Promise<void>;
  /** Removes a folder with everything in it. */
  removeFolder(path: string): Promise<void>;
  /** The folders directly inside a folder, with the time of their last change; none where there is no such folder. */
  listFolders(path: string): Promise<FolderFacts[]>;
  /** Names of the files directly inside a folder; none where there is no such folder. */
  listFiles(path: string): Promise<string[]>;
  /**
   * Removes what crashed writers left: at once where the writer is known to be gone, otherwise when it is older than so
   * many seconds. Answers how many things.
   */
  sweep(olderThanSeconds: number): Promise<number>;
  /** Where folders go that no record of the database names. */
  readonly quarantine: Quarantine;
}

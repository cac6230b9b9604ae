import type { Quarantine } from './quarantine.ts';

declare module '../context.ts' {
  interface Context {
    readonly files: Files;
  }
}

/** Staging file that is written beside its final path. */
export interface StagingFile {
  append(bytes: Uint8Array): Promise<void>;
  /** Overwrites bytes that were appended before, such as a header whose length field is known only at the end. */
  patch(offset: number, bytes: Uint8Array): Promise<void>;
}

/** Private staging folder on the same file system as the stored files, for child processes. */
export interface StagingFolder {
  /** Absolute path of the folder. */
  readonly path: string;
  /** Moves one of its files to its final path atomically. Replaces an existing file. */
  publish(name: string, relativePath: string): Promise<{ bytes: number }>;
  /** Moves all files of the folder to a final folder, each atomically. The staging folder is empty afterwards. */
  publishFolder(relativePath: string): Promise<string[]>;
  /** Removes the folder and its remaining files. Must always be called; a second call has no effect. */
  remove(): Promise<void>;
}

/** Size and age of a stored file. */
export interface FileFacts {
  readonly bytes: number;
  readonly modified: Date;
}

/** Name of a folder and the time of the last change of its entries. */
export interface FolderFacts {
  readonly name: string;
  readonly modified: Date;
}

/** Range of bytes to read, from `start` to `end` inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end?: number;
}

/**
 * Storage of all files that the service keeps beside the database, by relative path. Paths have `/` between names, no
 * `..`, and are not absolute. A path that violates this, or leads outside through a link, throws. The implementation is
 * a local folder; an object store may follow.
 */
export interface Files {
  /**
   * Writes a staging file and renames it to its final path once it is complete and synced to disk. If `write` throws,
   * nothing remains.
   */
  writeAtomically(path: string, write: (out: StagingFile) => Promise<void>): Promise<{ bytes: number }>;
  createStagingFolder(): Promise<StagingFolder>;
  /** Returns the absolute path of a file on this machine, for decoders and child processes. */
  absolute(path: string): string;
  /** Reads the bytes of a file, or of a range of it, in chunks. Throws `ENOENT` if it is missing. */
  read(path: string, range?: ByteRange): AsyncIterable<Uint8Array>;
  /** Returns size and age of a file, or null if it is missing. */
  stat(path: string): Promise<FileFacts | null>;
  /** Removes a file. A missing file is not an error. */
  remove(path: string): Promise<void>;
  /** Removes a folder with all its contents. */
  removeFolder(path: string): Promise<void>;
  /**
   * Returns the direct subfolders of a folder with the times of their last change. Returns none if the folder is
   * missing.
   */
  listFolders(path: string): Promise<FolderFacts[]>;
  /** Returns the names of the files directly inside a folder, none if the folder is missing. */
  listFiles(path: string): Promise<string[]>;
  /**
   * Removes staging files and folders of crashed writers and returns their number. They are removed at once if their
   * writer is known to be dead, otherwise if they are older than `olderThanSeconds`.
   */
  sweep(olderThanSeconds: number): Promise<number>;
  /** Quarantine for folders that no database record references. */
  readonly quarantine: Quarantine;
}

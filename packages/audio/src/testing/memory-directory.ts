import type { RecordingDirectory, RecordingFileHandle, SyncFile } from '../recording/recording-directory.ts';

/** Options of a {@link MemoryDirectory}. */
export interface MemoryDirectoryOptions {
  /** Whether files have synchronous access handles, as in workers of current browsers. */
  readonly hasSync?: boolean;
  /** Most bytes of all files; more are refused as by a full disk. */
  readonly quotaBytes?: number;
  /** Drops the content of files, whose sizes are kept, for tests of memory. */
  readonly isForgetful?: boolean;
}

interface Disk extends Required<MemoryDirectoryOptions> {
  usedBytes: number;
}

class MemoryFile implements RecordingFileHandle {
  readonly createSyncAccessHandle?: () => Promise<SyncFile>;
  readonly #disk: Disk;
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  constructor(disk: Disk) {
    this.#disk = disk;
    if (disk.hasSync) this.createSyncAccessHandle = async () => this.#syncFile();
  }

  async getFile(): Promise<Blob> {
    return new Blob(this.#parts);
  }

  async createWritable() {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    return {
      write: async (data: Uint8Array<ArrayBuffer>) => void parts.push(data.slice()),
      close: async () => {
        this.#cut(0);
        for (const part of parts)
          if (this.#append(part) < part.length) throw new DOMException('full', 'QuotaExceededError');
      },
    };
  }

  #syncFile(): SyncFile {
    return {
      write: (data, { at }) => {
        if (at < this.#bytes) this.#cut(at);
        return this.#append(data);
      },
      truncate: (bytes) => this.#cut(bytes),
      flush: () => undefined,
      close: () => undefined,
    };
  }

  #append(data: Uint8Array<ArrayBuffer>): number {
    const left = this.#disk.quotaBytes - this.#disk.usedBytes;
    const part = data.slice(0, Math.max(0, Math.min(data.length, left)));
    if (!this.#disk.isForgetful) this.#parts.push(part);
    this.#bytes += part.length;
    this.#disk.usedBytes += part.length;
    return part.length;
  }

  #cut(bytes: number): void {
    this.#disk.usedBytes -= Math.max(0, this.#bytes - bytes);
    this.#bytes = Math.min(this.#bytes, bytes);
    let left = bytes;
    this.#parts = this.#parts.flatMap((part) => {
      const kept = part.slice(0, Math.max(0, left));
      left -= kept.length;
      return kept.length > 0 ? [kept] : [];
    });
  }
}

/** A directory like one of the origin-private file system, in memory. */
export class MemoryDirectory implements RecordingDirectory {
  readonly #disk: Disk;
  readonly #folders = new Map<string, MemoryDirectory>();
  readonly #files = new Map<string, MemoryFile>();

  constructor(options: MemoryDirectoryOptions = {}, disk?: Disk) {
    const defaults = { hasSync: true, quotaBytes: Number.POSITIVE_INFINITY, isForgetful: false };
    this.#disk = disk ?? { ...defaults, ...options, usedBytes: 0 };
  }

  async getDirectoryHandle(name: string, options: { create?: boolean } = {}): Promise<MemoryDirectory> {
    const found = this.#folders.get(name);
    if (found) return found;
    if (!options.create) throw new DOMException(`no ${name}`, 'NotFoundError');
    const made = new MemoryDirectory({}, this.#disk);
    this.#folders.set(name, made);
    return made;
  }

  async getFileHandle(name: string, options: { create?: boolean } = {}): Promise<RecordingFileHandle> {
    const found = this.#files.get(name);
    if (found) return found;
    if (!options.create) throw new DOMException(`no ${name}`, 'NotFoundError');
    const made = new MemoryFile(this.#disk);
    this.#files.set(name, made);
    return made;
  }

  async removeEntry(name: string): Promise<void> {
    if (!this.#folders.delete(name) && !this.#files.delete(name))
      throw new DOMException(`no ${name}`, 'NotFoundError');
  }

  async *keys(): AsyncIterable<string> {
    yield* [...this.#folders.keys(), ...this.#files.keys()];
  }
}

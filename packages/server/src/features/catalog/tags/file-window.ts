import type { FileHandle } from 'node:fs/promises';

const windowBytes = 65_536;

/** Reads small pieces at any offset of an open file, through a buffer of 64 KiB. */
export class FileWindow {
  readonly size: number;
  readonly #handle: FileHandle;
  readonly #buffer = Buffer.alloc(windowBytes);
  #start = 0;
  #length = 0;

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /**
   * Returns `count` bytes from `offset` on, at most 64 KiB, or fewer at the end of the file. Valid until the next read.
   */
  async read(offset: number, count: number): Promise<Buffer> {
    if (offset < this.#start || offset + count > this.#start + this.#length) {
      this.#start = offset;
      this.#length = 0;
      while (this.#length < windowBytes) {
        const { bytesRead } = await this.#handle.read(
          this.#buffer,
          this.#length,
          windowBytes - this.#length,
          offset + this.#length,
        );
        if (bytesRead === 0) break;
        this.#length += bytesRead;
      }
    }
    const from = offset - this.#start;
    return this.#buffer.subarray(from, Math.max(from, Math.min(from + count, this.#length)));
  }
}

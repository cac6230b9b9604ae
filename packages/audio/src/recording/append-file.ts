import {
  FRAME_BYTES,
  type RecordingDirectory,
  type RecordingFileHandle,
  recordingFiles,
  type SyncFile,
} from './recording-directory.ts';

/** Audio file that grows at its end. */
export interface AppendFile {
  /** Appends whole frames. Rejects with a `QuotaExceededError` if the disk is full; all earlier frames remain. */
  append(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Writes what was appended to the disk, where the browser allows it. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes per segment without synchronous access: 2 s at 44.1 kHz. A crash loses at most the last one. */
const SEGMENT_BYTES = 2 * 44_100 * FRAME_BYTES;

/** Opens the audio of a recording for appending, by a synchronous access handle where the browser has one. */
export async function openAppendFile(folder: RecordingDirectory): Promise<AppendFile> {
  const first = await folder.getFileHandle(recordingFiles.segment(0), { create: true });
  if (!first.createSyncAccessHandle) return new SegmentFile(folder, first);
  return new SingleFile(await first.createSyncAccessHandle());
}

/** Returns the error that browsers report for a full disk or an exceeded quota. */
function fullDisk(): DOMException {
  return new DOMException('the disk is full', 'QuotaExceededError');
}

/** One file, written in place: what was written survives the end of the process. */
class SingleFile implements AppendFile {
  readonly #file: SyncFile;
  #bytes = 0;

  constructor(file: SyncFile) {
    this.#file = file;
  }

  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const written = this.#file.write(bytes, { at: this.#bytes });
    const whole = written - (written % FRAME_BYTES);
    this.#bytes += whole;
    if (written === bytes.length) return;
    this.#file.truncate(this.#bytes);
    throw fullDisk();
  }

  async flush(): Promise<void> {
    this.#file.flush();
  }

  async close(): Promise<void> {
    this.#file.flush();
    this.#file.close();
  }
}

/** A file per segment: a writable stream keeps nothing before it is closed, so each segment has its own. */
class SegmentFile implements AppendFile {
  readonly #folder: RecordingDirectory;
  #handle: RecordingFileHandle | null;
  #index = 0;
  #parts: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;

  constructor(folder: RecordingDirectory, first: RecordingFileHandle) {
    this.#folder = folder;
    this.#handle = first;
  }

  async append(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= SEGMENT_BYTES) await this.#write();
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {
    if (this.#bytes > 0) await this.#write();
  }

  async #write(): Promise<void> {
    const name = recordingFiles.segment(this.#index);
    const handle = this.#handle ?? (await this.#folder.getFileHandle(name, { create: true }));
    const parts = this.#parts;
    this.#parts = [];
    this.#bytes = 0;
    await writeWhole(handle, parts);
    this.#handle = null;
    this.#index += 1;
  }
}

/** Replaces the content of a file. */
export async function writeWhole(
  handle: RecordingFileHandle,
  parts: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  if (handle.createSyncAccessHandle) {
    const file = await handle.createSyncAccessHandle();
    try {
      let at = 0;
      for (const part of parts) at += file.write(part, { at });
      file.truncate(at);
      file.flush();
      if (at < parts.reduce((sum, part) => sum + part.length, 0)) throw fullDisk();
    } finally {
      file.close();
    }
    return;
  }
  if (!handle.createWritable) throw new Error('this browser cannot write to its private storage');
  const stream = await handle.createWritable();
  for (const part of parts) await stream.write(part);
  await stream.close();
}

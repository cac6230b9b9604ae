import { type AppendFile, openAppendFile, writeWhole } from './append-file.ts';
import { type RecordingDirectory, recordingFiles } from './recording-directory.ts';
import { createRecordingEncoder } from './recording-encoder.ts';
import type { RecordingDescription, RecordingNote } from './recording-messages.ts';

/** Samples between two writes to the disk: 1.1 s at 44.1 kHz. */
const FLUSH_SAMPLES = 3 * 32_768;

/**
 * Writes a recording to the origin-private file system as it runs. Its memory does not grow with its length.
 *
 * `samples → 24 bits → audio file`, `notes → notes file`
 */
export class RecordingWriter {
  readonly #folder: RecordingDirectory;
  readonly #file: AppendFile;
  readonly #encode = createRecordingEncoder();
  readonly #lines: string[] = [];
  #unflushed = 0;

  private constructor(folder: RecordingDirectory, file: AppendFile) {
    this.#folder = folder;
    this.#file = file;
  }

  /** Creates the directory and the files of a recording. */
  static async open(
    root: RecordingDirectory,
    id: string,
    description: RecordingDescription,
  ): Promise<RecordingWriter> {
    const all = await root.getDirectoryHandle(recordingFiles.folder, { create: true });
    const folder = await all.getDirectoryHandle(id, { create: true });
    await writeWhole(await folder.getFileHandle(recordingFiles.description, { create: true }), [
      new TextEncoder().encode(JSON.stringify(description)),
    ]);
    return new RecordingWriter(folder, await openAppendFile(folder));
  }

  /** Appends samples, which may be reused afterwards. */
  async add(samples: Float32Array): Promise<void> {
    const bytes = this.#encode(samples);
    await this.#file.append(bytes);
    this.#unflushed += samples.length;
    if (this.#unflushed < FLUSH_SAMPLES) return;
    this.#unflushed = 0;
    await this.#file.flush();
  }

  /** Stores a note. All notes of a recording are a few kilobytes, so their file is written as a whole. */
  async note(note: RecordingNote): Promise<void> {
    this.#lines.push(`${JSON.stringify(note)}\n`);
    const text = new TextEncoder().encode(this.#lines.join(''));
    await writeWhole(await this.#folder.getFileHandle(recordingFiles.notes, { create: true }), [text]);
  }

  /** Stores the rest, closes the files and marks the recording as ended. */
  async finish(): Promise<void> {
    await this.close();
    await this.#folder.getFileHandle(recordingFiles.finished, { create: true });
  }

  /** Closes the files; what they hold remains. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

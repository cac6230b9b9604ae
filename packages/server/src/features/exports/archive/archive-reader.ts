import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { byteText } from '@stem-studio/contract/byte-text';
import { archiveBounds } from '@stem-studio/contract/limits';
import {
  archiveHeader,
  archiveManifestName,
  type ProjectArchive,
  projectArchive,
} from '@stem-studio/contract/resources/project-archive';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { messageOf, ServiceError, stateForbids } from '../../../platform/errors.ts';

/** Returns the error of an archive that is not opened, with the rule and the value. */
export function archiveRefused(rule: string): ServiceError {
  const text = `The archive cannot be opened: ${rule.startsWith('must ') ? 'it ' : ''}${rule}`;
  return stateForbids('ARCHIVE_NOT_ACCEPTED', `${text}. Nothing was stored`, { file: [text] });
}

/** Limits of the content of an archive, in bytes. */
export interface ArchiveLimits {
  /** Largest file in it, decompressed. */
  readonly fileBytes: number;
  /** Sum of all files in it, decompressed. */
  readonly totalBytes: number;
}

/** Issues of a manifest that are named in the message. */
const shownIssues = 3;

/**
 * A ZIP that was received. Its directory is checked before anything is decompressed: names, sizes and methods, so that
 * neither a path that leads elsewhere nor a ZIP bomb is read.
 */
export class ArchiveReader {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** Opens a ZIP. Throws `ARCHIVE_NOT_ACCEPTED` with the rule and the value. The caller closes it. */
  static async open(path: string, limits: ArchiveLimits): Promise<ArchiveReader> {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(
      () => {
        throw archiveRefused(
          'must be a complete ZIP file (it has no directory at its end: it is no ZIP, or it was cut off)',
        );
      },
    );
    try {
      return new ArchiveReader(zip, await readDirectory(zip, limits));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  /** Sum of the sizes of all files, decompressed, in bytes. */
  get bytes(): number {
    return [...this.#entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
  }

  /** Returns the size of a file in bytes; null if the archive lacks it. */
  bytesOf(path: string): number | null {
    return this.#entries.get(path)?.uncompressedSize ?? null;
  }

  /** Reads the manifest. Throws `ARCHIVE_NOT_ACCEPTED` for a newer version, and for each field that is not valid. */
  async manifest(): Promise<ProjectArchive> {
    const entry = this.#entries.get(archiveManifestName);
    if (!entry) throw archiveRefused(`must contain ${archiveManifestName}: this is not a project archive`);
    if (entry.uncompressedSize > archiveBounds.manifestBytes)
      throw archiveRefused(
        `${archiveManifestName} must have at most ${byteText(archiveBounds.manifestBytes)} (it has ${byteText(entry.uncompressedSize)})`,
      );
    const bytes = await buffer(await this.#checked(entry));
    let content: unknown;
    try {
      content = JSON.parse(bytes.toString());
    } catch (error) {
      throw archiveRefused(`${archiveManifestName} must be JSON (${messageOf(error)})`);
    }
    const header = archiveHeader.safeParse(content);
    if (!header.success) throw archiveRefused('must be an archive of a project of the editor');
    const { version } = header.data;
    if (version > archiveBounds.version)
      throw archiveRefused(
        `it must have a version up to ${archiveBounds.version} (it has ${version}): update this studio, then open it again`,
      );
    const parsed = projectArchive.safeParse(content);
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    const named = issues
      .slice(0, shownIssues)
      .map(({ path, message }) => `${path.join('.')} ${message}`.trim());
    const more = issues.length > shownIssues ? `, and ${issues.length - shownIssues} more` : '';
    throw archiveRefused(`${archiveManifestName} is not valid: ${named.join('; ')}${more}`);
  }

  /** Writes a file of the archive to an absolute path. Throws `ARCHIVE_NOT_ACCEPTED` if it is missing or damaged. */
  async extract(path: string, to: string, signal: AbortSignal): Promise<void> {
    const entry = this.#entries.get(path);
    if (!entry) throw archiveRefused(`must contain ${path}, which the manifest names`);
    await pipeline(await this.#checked(entry), createWriteStream(to, { flags: 'wx' }), { signal });
  }

  /** Closes the file. */
  close(): void {
    this.#zip.close();
  }

  /** Returns the bytes of a file; the stream fails if they are damaged or of another length than stated. */
  async #checked(entry: Entry): Promise<Transform> {
    const source = await this.#zip.openReadStreamPromise(entry).catch((error: unknown) => {
      throw damaged(entry, reasonOf(error));
    });
    let sum = 0;
    const check = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        sum = crc32(chunk, sum);
        done(null, chunk);
      },
      flush(done) {
        done(sum === entry.crc32 ? null : damaged(entry, 'its checksum does not match'));
      },
    });
    source.once('error', (error) => check.destroy(damaged(entry, reasonOf(error))));
    check.once('close', () => source.destroy());
    return source.pipe(check);
  }
}

/** Returns the message of an error as a part of a sentence. */
const reasonOf = (error: unknown) => messageOf(error).replace(/\.$/, '');

const damaged = ({ fileName }: Entry, reason: string) =>
  archiveRefused(`${fileName} in the archive is damaged (${reason})`);

async function readDirectory(zip: ZipFile, limits: ArchiveLimits): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let total = 0;
  if (zip.entryCount > archiveBounds.files)
    throw archiveRefused(`must contain at most ${archiveBounds.files} files (it has ${zip.entryCount})`);
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName, uncompressedSize } = entry;
      if (fileName.endsWith('/')) continue;
      if (entries.has(fileName))
        throw archiveRefused(`must contain each name once (${fileName} occurs twice)`);
      if (!entry.canDecodeFileData())
        throw archiveRefused(`${fileName} must be stored or deflated, without a password`);
      if (uncompressedSize > limits.fileBytes)
        throw archiveRefused(
          `a file in it must have at most ${byteText(limits.fileBytes)} (${fileName} has ${byteText(uncompressedSize)})`,
        );
      total += uncompressedSize;
      if (total > limits.totalBytes)
        throw archiveRefused(`its files must have at most ${byteText(limits.totalBytes)} in all`);
      entries.set(fileName, entry);
    }
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw archiveRefused(`must be a complete ZIP file with relative names (${reasonOf(error)})`);
  }
  return entries;
}

import { type FileHandle, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname } from 'node:path';
import { byteText } from '@stem-studio/contract/byte-text';
import { z } from 'zod';
import { pause } from '../clock.ts';
import { hashFile } from '../files/hash-file.ts';
import { fullDiskSentence } from '../full-disk.ts';
import {
  DownloadError,
  type DownloadHosts,
  downloadAddress,
  reasonOf,
  requestDownload,
} from './download-request.ts';

/** A file to be downloaded. */
export interface Download {
  readonly url: string;
  /** Final path. The unfinished file is beside it, with `.part` appended. */
  readonly path: string;
  /** Size in bytes; null if it is not known before. */
  readonly bytes: number | null;
  /** Largest accepted size in bytes. */
  readonly maxBytes: number;
  /** SHA-256 in hex. */
  readonly sha256: string;
  readonly hosts: DownloadHosts;
  /** Longest time in ms without {@link leastBytesPerWindow} bytes. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Called after each piece with the bytes on disk and the size, null if unknown. */
  readonly onProgress: (receivedBytes: number, totalBytes: number | null) => void;
  /** Pause before the second attempt in ms, four times as long before each further one; default 250. */
  readonly retryMs?: number;
  /** Opens the unfinished file; replaced in tests. */
  readonly openFile?: (path: string) => Promise<FileHandle>;
}

/** Least number of bytes in the time `idleMs`; a slower server counts as hanging. */
const leastBytesPerWindow = 16 * 1024;
/** Attempts in a row that each bring less than this many bytes, before the download fails. */
const progressBytes = 2 ** 20;
const mostAttempts = 4;

/** What is known about an unfinished file, stored beside it. */
const partNote = z.strictObject({ url: z.string(), etag: z.string().nullable() });
type PartNote = z.infer<typeof partNote>;

const partPath = (path: string): string => `${path}.part`;
const notePath = (path: string): string => `${path}.part.json`;

/**
 * Downloads a file, and continues an earlier unfinished download of it. The file gets its name when it is complete and
 * its SHA-256 is right. A lost connection is tried again from where it was; when it fails or is aborted, the unfinished
 * file stays. A file that is wrong, and one that fills the disk, is deleted.
 *
 * @throws DownloadError
 */
export async function downloadFile(download: Download): Promise<void> {
  const { path, sha256, signal, retryMs = 250 } = download;
  if ((await sizeOf(path)) > 0 && (await hashFile(path, signal)).sha256 === sha256) return;
  await mkdir(dirname(path), { recursive: true });
  for (let failures = 0; ; ) {
    const before = await sizeOf(partPath(path));
    try {
      await receiveRest(download);
      break;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DownloadError) || !error.isRetryable) throw error;
      const isProgress = (await sizeOf(partPath(path))) - before >= progressBytes;
      failures = isProgress ? 0 : failures + 1;
      if (failures >= mostAttempts) throw error;
      await pause(retryMs * 4 ** Math.max(0, failures - 1), signal);
      signal.throwIfAborted();
    }
  }
  const { sha256: found } = await hashFile(partPath(path), signal);
  if (found !== sha256) {
    await deletePart(path);
    throw new DownloadError(
      `the downloaded file is not the expected one: its SHA-256 must be ${sha256} (got ${found})`,
      false,
    );
  }
  await rename(partPath(path), path);
  await rm(notePath(path), { force: true });
}

/** Returns the size of an unfinished or finished download in bytes, 0 if there is none. */
export async function downloadedBytes(path: string): Promise<number> {
  return (await sizeOf(path)) || sizeOf(partPath(path));
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

async function deletePart(path: string): Promise<void> {
  await rm(partPath(path), { force: true });
  await rm(notePath(path), { force: true });
}

/** Returns the note about an unfinished file of this address, or null. */
async function readNote(path: string, url: string): Promise<PartNote | null> {
  const text = await readFile(notePath(path), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const note = partNote.parse(JSON.parse(text));
    return note.url === url ? note : null;
  } catch {
    return null;
  }
}

/** Requests what is missing of the file and appends it. Returns when the file has its size. */
async function receiveRest(download: Download): Promise<void> {
  const { url, path, bytes, maxBytes, hosts, signal } = download;
  const note = await readNote(path, url);
  let from = await sizeOf(partPath(path));
  if (note === null || from > (bytes ?? maxBytes)) {
    await deletePart(path);
    from = 0;
  }
  if (from > 0 && from === bytes) return;
  const watch = watchIdle(download);
  try {
    const reply = await requestDownload(
      downloadAddress(url, hosts),
      {
        ...(from > 0 && { range: `bytes=${from}-` }),
        ...(from > 0 && note?.etag && { 'if-range': note.etag }),
      },
      hosts,
      watch.signal,
    );
    try {
      const begin = await readHead(download, reply, from);
      await writeNote(path, { url, etag: strongTag(reply) });
      await writeBody(download, reply, begin, watch.received);
    } finally {
      reply.destroy();
    }
  } catch (error) {
    signal.throwIfAborted();
    if (watch.signal.aborted) throw watch.signal.reason;
    throw error;
  } finally {
    watch.end();
  }
}

/** Watches that bytes keep arriving; its signal aborts with a DownloadError when they do not. */
function watchIdle({ signal, idleMs, url }: Download) {
  const stalled = new AbortController();
  let count = 0;
  const timer = setInterval(() => {
    if (count < leastBytesPerWindow)
      stalled.abort(
        new DownloadError(
          `${new URL(url).host} sends nothing for ${idleMs / 1000} s, or almost nothing`,
          true,
        ),
      );
    count = 0;
  }, idleMs);
  return {
    signal: AbortSignal.any([signal, stalled.signal]),
    received: (size: number) => {
      count += size;
    },
    end: () => clearInterval(timer),
  };
}

/** Returns the tag of a reply if it identifies its exact bytes, as `If-Range` requires. */
function strongTag({ headers }: IncomingMessage): string | null {
  const { etag } = headers;
  return etag === undefined || etag.startsWith('W/') ? null : etag;
}

async function writeNote(path: string, note: PartNote): Promise<void> {
  await writeFile(notePath(path), JSON.stringify(note));
}

/** Checks the status and the announced size of a reply. Returns the position at which its body begins. */
async function readHead(download: Download, reply: IncomingMessage, from: number): Promise<number> {
  const { path, bytes, maxBytes } = download;
  const { statusCode = 0, headers } = reply;
  const host = new URL(download.url).host;
  if (statusCode === 416) {
    await deletePart(path);
    throw new DownloadError(`${host} has no bytes after ${from}`, true);
  }
  if (statusCode !== 200 && statusCode !== 206)
    throw new DownloadError(
      `${host} answered ${statusCode}${statusCode === 404 ? ': the file is no longer there' : ''}`,
      [408, 425, 429].includes(statusCode) || statusCode >= 500,
    );
  if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
    throw new DownloadError(`${host} sends the file in the encoding ${headers['content-encoding']}`, false);
  const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(headers['content-range'] ?? '');
  if (statusCode === 206 && Number(range?.[1] ?? -1) !== from) {
    await deletePart(path);
    throw new DownloadError(`${host} sends another part of the file than requested`, true);
  }
  const begin = statusCode === 206 ? from : 0;
  const total = announcedBytes(headers['content-length'], range?.[2], begin);
  const limit = bytes ?? maxBytes;
  if (total !== null && (bytes === null ? total > limit : total !== limit)) {
    await deletePart(path);
    const rule = bytes === null ? `at most ${byteText(limit)}` : `${bytes} bytes`;
    throw new DownloadError(`the file must have ${rule} (${host} announces ${total} bytes)`, false);
  }
  return begin;
}

/** Returns the size of the whole file that a reply announces, or null. */
function announcedBytes(length: string | undefined, total: string | undefined, begin: number): number | null {
  if (total !== undefined && total !== '*') return Number(total);
  return length === undefined ? null : begin + Number(length);
}

/** Writes the body of a reply into the unfinished file from `begin` on, and flushes it to disk. */
async function writeBody(
  download: Download,
  reply: IncomingMessage,
  begin: number,
  received: (bytes: number) => void,
): Promise<void> {
  const { path, bytes, maxBytes, onProgress, openFile = openPart } = download;
  const host = new URL(download.url).host;
  const announced = reply.headers['content-length'];
  const total = bytes ?? (announced === undefined ? null : begin + Number(announced));
  let at = begin;
  try {
    const handle = await openFile(partPath(path));
    try {
      await handle.truncate(begin);
      for await (const chunk of reply as AsyncIterable<Buffer>) {
        if (at + chunk.length > (bytes ?? maxBytes))
          throw new DownloadError(
            `${host} sends more than the ${bytes ?? maxBytes} bytes of the file`,
            false,
          );
        await handle.write(chunk, 0, chunk.length, at);
        at += chunk.length;
        received(chunk.length);
        onProgress(at, total);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    const isFull = fullDiskSentence(error);
    if (isFull !== null || (error instanceof DownloadError && !error.isRetryable)) await deletePart(path);
    if (isFull !== null) throw new DownloadError(isFull, false, { cause: error });
    if (error instanceof DownloadError) throw error;
    if (isFileError(error)) throw error;
    throw new DownloadError(`the connection to ${host} was lost: ${reasonOf(error)}`, true, { cause: error });
  }
  if (total !== null && at < total)
    throw new DownloadError(`${host} ended the file after ${at} of ${total} bytes`, true);
}

/** Returns whether an error is one of the file system. Those of connections have no path. */
function isFileError(error: unknown): boolean {
  return (
    ['open', 'write', 'ftruncate', 'fsync'].includes(
      String((error as { readonly syscall?: unknown }).syscall),
    ) && (error as { readonly code?: unknown }).code !== 'ECONNRESET'
  );
}

/** Opens a file for writing at any position, and creates it if it is missing. */
async function openPart(path: string): Promise<FileHandle> {
  return open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return open(path, 'w+', 0o640);
  });
}

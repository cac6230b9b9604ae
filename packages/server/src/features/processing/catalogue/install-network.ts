import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { byteText } from '@stem-studio/contract/byte-text';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { InstalledModel } from '@stem-studio/contract/separation-weights';
import { measureSpace } from '../../../platform/disk/disk.ts';
import { messageOf } from '../../../platform/errors.ts';
import { DownloadError } from '../../../platform/http/download-request.ts';
import { type Download, downloadFile } from '../../../platform/http/resumable-download.ts';
import { runInProcess } from '../../../platform/process/limited-process.ts';
import { ThreadError } from '../../../platform/process/thread.ts';
import { type AddOptions, addModel } from '../networks/add-model.ts';
import { NetworkRefused } from '../networks/network-refused.ts';
import type { ConversionRequest } from './convert-spleeter.ts';
import { downloadFolder, downloadPath, partialBytes, withDownloadLock } from './downloads-folder.ts';
import {
  type CatalogueEntry,
  downloadSize,
  neededSpace,
  outputStems,
  unpackedBytes,
} from './network-catalogue.ts';

/** Progress of an installation. */
export interface InstallProgress {
  /** Part of the work that is done, 0 to 1. */
  readonly fraction: number;
  /** What is being done. */
  readonly stage: string;
  /** Bytes of a download on disk, and in all; `total` is null while the size is not known. */
  readonly bytes?: { readonly done: number; readonly total: number | null };
  /** Remaining seconds of the download, if they can be estimated. */
  readonly etaSeconds?: number;
}

/** Dependencies of an installation. */
export interface InstallOptions extends Omit<AddOptions, 'log' | 'network'> {
  readonly onProgress: (progress: InstallProgress) => void;
  /** Opens unfinished downloads; replaced in tests. */
  readonly openFile?: Download['openFile'];
}

/** Part of the whole progress that the download takes, and the conversion after it. */
const downloadPart = 0.9;
const conversionPart = 0.95;
/** Time without an estimate at the beginning of a download, in ms. */
const firstEstimateMs = 1000;
const conversionMemoryMb = 512;

/**
 * Downloads a network of the catalogue, converts it if it is a checkpoint, tests it and lets it serve a model. Continues
 * an unfinished download. The files of the download are deleted when it is installed; when anything fails before that,
 * the model is served as before, and complete files and unfinished ones stay for the next attempt.
 *
 * @throws DownloadError; NetworkRefused for files that are no network of the model; NetworkBusyError
 */
export async function installNetwork(
  entry: CatalogueEntry,
  model: SeparationModelName,
  options: InstallOptions,
): Promise<InstalledModel> {
  const { config } = options;
  return withDownloadLock(config, entry.name, async () => {
    await removeLeftovers(downloadFolder(config, entry.name));
    await requireSpace(entry, options);
    await downloadAll(entry, options);
    const paths = await networkFiles(entry, options);
    const { name, title, licence } = entry;
    const installed = await addModel(model, paths, {
      ...options,
      network: { name, title, licence: licence.name },
      log: (stage) => options.onProgress({ fraction: conversionPart, stage }),
    });
    await deleteDownload(config, name);
    return installed;
  });
}

/** Deletes the files of a download; the folder stays, because it contains the lock that the caller holds. */
export async function deleteDownload(config: InstallOptions['config'], name: string): Promise<void> {
  const folder = downloadFolder(config, name);
  for (const file of await readdir(folder).catch(() => []))
    if (file.startsWith('file-') || file.startsWith('converted-'))
      await rm(join(folder, file), { recursive: true, force: true });
}

/** Deletes conversions of processes that were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const file of await readdir(folder))
    if (file.startsWith('converted-')) await rm(join(folder, file), { recursive: true, force: true });
}

/** Refuses a download that does not fit on the disk of the models folder. */
async function requireSpace(entry: CatalogueEntry, { config }: InstallOptions): Promise<void> {
  const { freeBytes } = await measureSpace(downloadFolder(config, entry.name));
  const availableBytes = Math.max(0, freeBytes - config.diskMarginBytes);
  const needed = neededSpace(entry) - (await partialBytes(config, entry));
  if (needed > availableBytes)
    throw new DownloadError(
      `not enough disk space for ${entry.title}: it needs ${byteText(needed)}, ${byteText(availableBytes)} are free`,
      false,
    );
}

async function downloadAll(entry: CatalogueEntry, options: InstallOptions): Promise<void> {
  const { config, clock, signal, onProgress, openFile } = options;
  const { bytes: allBytes, isExact } = downloadSize(entry);
  const startedMs = clock.monotonicMs();
  const startBytes = await partialBytes(config, entry);
  let earlierBytes = 0;
  for (const [index, { url, bytes, max_bytes, sha256 }] of entry.files.entries()) {
    const path = downloadPath(config, entry, index);
    let fileBytes = 0;
    await downloadFile({
      url,
      path,
      bytes,
      maxBytes: bytes ?? max_bytes ?? 0,
      sha256,
      hosts: { mirrorUrl: config.modelMirrorUrl, redirectHosts: entry.redirect_hosts },
      idleMs: config.modelReplySeconds * 1000,
      signal,
      ...(openFile && { openFile }),
      onProgress(received, announced) {
        fileBytes = received;
        const total = isExact || announced === null ? allBytes : announced;
        const done = earlierBytes + received;
        const elapsedMs = clock.monotonicMs() - startedMs;
        const rate = (done - startBytes) / elapsedMs;
        const isKnown = elapsedMs > firstEstimateMs && rate > 0 && (isExact || announced !== null);
        onProgress({
          fraction: downloadPart * Math.min(1, done / total),
          stage: 'downloading',
          bytes: { done, total: isExact || announced !== null ? total : null },
          ...(isKnown && { etaSeconds: Math.ceil((total - done) / rate / 1000) }),
        });
      },
    });
    earlierBytes += bytes ?? fileBytes;
  }
}

/** Returns the paths of the graphs of a download, converted if it is a checkpoint. */
async function networkFiles(entry: CatalogueEntry, options: InstallOptions): Promise<string[]> {
  const { config, signal, onProgress } = options;
  const paths = entry.files.map((_, index) => downloadPath(config, entry, index));
  if (entry.format === 'onnx') return paths;
  const stage = 'converting the checkpoint';
  onProgress({ fraction: downloadPart, stage });
  const request: ConversionRequest = {
    archive: paths[0] as string,
    folder: await mkdtemp(join(downloadFolder(config, entry.name), 'converted-')),
    network: entry.spleeter,
    order: outputStems(entry),
    maxBytes: unpackedBytes(entry.spleeter.stems.length),
  };
  try {
    const graph = await runInProcess<string>({
      module: new URL('./convert-spleeter.process.ts', import.meta.url),
      input: request,
      limits: {
        subject: 'the checkpoint',
        memoryMb: conversionMemoryMb,
        stallMs: 120_000,
        totalMs: 900_000,
        outputBytes: 4096,
      },
      signal,
      onProgress: (part) =>
        onProgress({ fraction: downloadPart + (conversionPart - downloadPart) * Number(part), stage }),
    });
    return [graph];
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    throw new NetworkRefused(`${entry.title} cannot be read: ${messageOf(error)}`);
  }
}

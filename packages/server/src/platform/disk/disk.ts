import { access, constants, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { byteText } from '@stem-studio/contract/byte-text';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { messageOf } from '../errors.ts';
import {
  removeReserveFile,
  removeUnfinishedReserves,
  reserveName,
  writeReserveFile,
} from './reserve-file.ts';

declare module '../context.ts' {
  interface Context {
    readonly disk: Disk;
  }
}

/** Space of a file system, in bytes. */
export interface DiskSpace {
  /** Space available to an unprivileged user. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/**
 * Disk of audio and stems, with reserve files that are deleted when a disk is full. This includes the disk of the
 * database.
 */
export interface Disk {
  /**
   * Returns the space of the uploads folder's file system. The reserve never counts as free, even while it is deleted.
   */
  space(): Promise<DiskSpace>;
  /** Returns messages about disks that are full or not writable; empty if there are none. */
  problems(): Promise<string[]>;
  /** Deletes the reserve files, so that the database can write and deletions work. Returns whether there was one. */
  giveUpReserve(reason: string): Promise<boolean>;
  /** Deletes the reserve when a disk is nearly full, and creates it again when there is space. */
  tend(): Promise<void>;
}

/** Measures the space of a folder's file system; replaced in tests. */
export type MeasureSpace = (folder: string) => Promise<DiskSpace>;

/** Free space below which the reserve is deleted proactively: PostgreSQL needs space for a clean shutdown. */
const nearlyFullBytes = 16 * 2 ** 20;

/** Returns the space of the file system of a folder. */
export async function measureSpace(folder: string): Promise<DiskSpace> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** Folder with a reserve file. */
interface Volume {
  readonly name: string;
  readonly folder: string;
}

/**
 * Returns the folders with a reserve file. These are the uploads folder, and the data directory if it is on another
 * file system.
 */
async function volumesOf(config: Pick<Config, 'uploadsDir' | 'dataDir'>): Promise<Volume[]> {
  const uploads = { name: 'the audio files', folder: config.uploadsDir };
  const [one, other] = await Promise.all(
    [config.uploadsDir, config.dataDir].map((folder) =>
      stat(folder).then(
        ({ dev }) => dev,
        () => null,
      ),
    ),
  );
  if (one === null) return [];
  return other === null || one === other
    ? [uploads]
    : [uploads, { name: 'the data directory', folder: config.dataDir }];
}

/** Options of {@link createDisk}. */
export interface DiskOptions {
  readonly config: Pick<Config, 'uploadsDir' | 'dataDir' | 'diskMarginBytes' | 'diskReserveBytes'>;
  readonly log: Logger;
  readonly measure?: MeasureSpace;
}

/** Creates the disk of a service. The folders need not exist yet: `tend` then does nothing. */
export function createDisk({ config, log, measure = measureSpace }: DiskOptions): Disk {
  const { diskReserveBytes: reserveBytes, diskMarginBytes: marginBytes } = config;
  const uploads: Volume = { name: 'the audio files', folder: config.uploadsDir };
  const fileOf = ({ folder }: Volume) => join(folder, reserveName);
  const hasReserve = (volume: Volume) =>
    access(fileOf(volume)).then(
      () => true,
      () => false,
    );
  /** Space freed by a deleted reserve is for deletions, not for new work. */
  const missingReserve = async (volume: Volume) =>
    reserveBytes === 0 || (await hasReserve(volume)) ? 0 : reserveBytes;
  /** Small reserves are deleted later, otherwise they would never be created again. */
  const fullBelow = reserveBytes === 0 ? nearlyFullBytes : Math.min(nearlyFullBytes, reserveBytes / 4);

  const giveUp = async (volume: Volume, reason: string) => {
    const freed = await removeReserveFile(fileOf(volume));
    if (freed === 0) return false;
    log.warn(`the disk of ${volume.name} is full (${reason}): gave up the reserve of ${byteText(freed)}`);
    return true;
  };
  const make = async (volume: Volume) => {
    try {
      await writeReserveFile(fileOf(volume), reserveBytes);
      log.info(`reserved ${byteText(reserveBytes)} on the disk of ${volume.name}`);
    } catch (error) {
      log.warn(`no reserve could be made on the disk of ${volume.name}: ${messageOf(error)}`);
    }
  };
  const tendVolume = async (volume: Volume) => {
    await removeUnfinishedReserves(volume.folder);
    const { freeBytes } = await measure(volume.folder);
    const isMade = await hasReserve(volume);
    if (isMade && freeBytes < fullBelow) await giveUp(volume, `${byteText(freeBytes)} are free`);
    if (!isMade && freeBytes >= reserveBytes + marginBytes) await make(volume);
  };
  const problemOf = async (volume: Volume): Promise<string[]> => {
    const { freeBytes } = await measure(volume.folder);
    const isWritable = await access(volume.folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return [`the disk of ${volume.name} cannot be written to`];
    const usableBytes = freeBytes - (await missingReserve(volume));
    return usableBytes < fullBelow ? [`the disk of ${volume.name} is full`] : [];
  };

  return {
    space: async () => {
      const { freeBytes, totalBytes } = await measure(config.uploadsDir);
      return { freeBytes: Math.max(0, freeBytes - (await missingReserve(uploads))), totalBytes };
    },
    problems: async () => (await Promise.all((await volumesOf(config)).map(problemOf))).flat(),
    giveUpReserve: async (reason) => {
      const given = await Promise.all((await volumesOf(config)).map((volume) => giveUp(volume, reason)));
      return given.includes(true);
    },
    tend: async () => {
      if (reserveBytes === 0) return;
      for (const volume of await volumesOf(config)) await tendVolume(volume);
    },
  };
}

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
  /** What an ordinary user may still write. */
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** The disk that audio and stems lie on, and the files that are given up when it, or that of the database, is full. */
export interface Disk {
  /** Space of the file system of the uploads folder; what the reserve takes is not free, also while it is given up. */
  space(): Promise<DiskSpace>;
  /** Sentences about what is wrong with a disk: it is full, or cannot be written to. Empty when nothing is. */
  problems(): Promise<string[]>;
  /** Deletes the reserve files, so that the database can write and deleting works; whether there was one. */
  giveUpReserve(reason: string): Promise<boolean>;
  /** Gives the reserve up when a disk is nearly full, makes it again when there is room. */
  tend(): Promise<void>;
}

/** How the space of a folder's file system is found out; another one in tests. */
export type MeasureSpace = (folder: string) => Promise<DiskSpace>;

/** Below this much free space the reserve is given up before anybody asks for it: PostgreSQL needs room to stop well. */
const nearlyFullBytes = 16 * 2 ** 20;

/** Space of the file system that a folder lies on. */
export async function measureSpace(folder: string): Promise<DiskSpace> {
  const { bsize, bavail, blocks } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** One folder with a reserve file. */
interface Place {
  readonly name: string;
  readonly folder: string;
}

/** The folders with a reserve file: that of the uploads, and that of the database where it is another file system. */
async function placesOf(config: Pick<Config, 'uploadsDir' | 'dataDir'>): Promise<Place[]> {
  const uploads = { name: 'sound files', folder: config.uploadsDir };
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

/** What {@link createDisk} needs. */
export interface DiskOptions {
  readonly config: Pick<Config, 'uploadsDir' | 'dataDir' | 'diskMarginBytes' | 'diskReserveBytes'>;
  readonly log: Logger;
  readonly measure?: MeasureSpace;
}

/** The disk of a service. The folders need not exist yet: `tend` does nothing then. */
export function createDisk({ config, log, measure = measureSpace }: DiskOptions): Disk {
  const { diskReserveBytes: reserveBytes, diskMarginBytes: marginBytes } = config;
  const uploads: Place = { name: 'sound files', folder: config.uploadsDir };
  const fileOf = ({ folder }: Place) => join(folder, reserveName);
  const hasReserve = (place: Place) =>
    access(fileOf(place)).then(
      () => true,
      () => false,
    );
  /** What a reserve that was given up has freed is for deleting, not for work. */
  const missingReserve = async (place: Place) =>
    reserveBytes === 0 || (await hasReserve(place)) ? 0 : reserveBytes;
  /** Small reserves are given up later, or they would never be made again. */
  const fullBelow = reserveBytes === 0 ? nearlyFullBytes : Math.min(nearlyFullBytes, reserveBytes / 4);

  const giveUp = async (place: Place, reason: string) => {
    const freed = await removeReserveFile(fileOf(place));
    if (freed === 0) return false;
    log.warn(`the disk of ${place.name} is full (${reason}): gave up the reserve of ${byteText(freed)}`);
    return true;
  };
  const make = async (place: Place) => {
    try {
      await writeReserveFile(fileOf(place), reserveBytes);
      log.info(`reserved ${byteText(reserveBytes)} on the disk of ${place.name}`);
    } catch (error) {
      log.warn(`no reserve could be made on the disk of ${place.name}: ${messageOf(error)}`);
    }
  };
  const tendPlace = async (place: Place) => {
    await removeUnfinishedReserves(place.folder);
    const { freeBytes } = await measure(place.folder);
    const isMade = await hasReserve(place);
    if (isMade && freeBytes < fullBelow) await giveUp(place, `${byteText(freeBytes)} are free`);
    if (!isMade && freeBytes >= reserveBytes + marginBytes) await make(place);
  };
  const problemOf = async (place: Place): Promise<string[]> => {
    const { freeBytes } = await measure(place.folder);
    const isWritable = await access(place.folder, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (!isWritable) return [`the disk of ${place.name} cannot be written to`];
    const usableBytes = freeBytes - (await missingReserve(place));
    return usableBytes < fullBelow ? [`the disk of ${place.name} is full`] : [];
  };

  return {
    space: async () => {
      const { freeBytes, totalBytes } = await measure(config.uploadsDir);
      return { freeBytes: Math.max(0, freeBytes - (await missingReserve(uploads))), totalBytes };
    },
    problems: async () => (await Promise.all((await placesOf(config)).map(problemOf))).flat(),
    giveUpReserve: async (reason) => {
      const given = await Promise.all((await placesOf(config)).map((place) => giveUp(place, reason)));
      return given.includes(true);
    },
    tend: async () => {
      if (reserveBytes === 0) return;
      for (const place of await placesOf(config)) await tendPlace(place);
    },
  };
}

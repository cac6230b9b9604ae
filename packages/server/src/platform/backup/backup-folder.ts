import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../errors.ts';
import { isAlive } from '../process/is-alive.ts';
import { BackupError } from './backup-error.ts';
import { ignoreMissing } from './list-files.ts';
import { type Manifest, readManifest } from './manifest.ts';

const unfinishedPrefix = '.unfinished-';

/**
 * Identifies this machine and, in a container, its process id namespace. Only processes of the same one can be checked.
 */
const machine = createHash('sha256').update(`${hostname()} ${processNumbers()}`).digest('hex').slice(0, 12);

function processNumbers(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

/** Returns the name of a backup: `prefix` and the time in UTC, so that names sort by age. */
export function backupName(now: Date, prefix = ''): string {
  return `${prefix}${now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')}`;
}

/** Complete backup in a folder of backups. */
export interface ListedBackup {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Returns the backups in a folder, oldest first, and unreadable ones with the reason. */
export async function listBackups(
  root: string,
): Promise<{ backups: ListedBackup[]; unreadable: { name: string; reason: string }[] }> {
  const entries = (await readdir(root, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  const backups: ListedBackup[] = [];
  const unreadable: { name: string; reason: string }[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))) {
    const folder = join(root, name);
    try {
      backups.push({ name, folder, manifest: (await readManifest(folder)).manifest });
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      unreadable.push({ name, reason: messageOf(error) });
    }
  }
  const age = ({ manifest: { created_at }, name }: ListedBackup) => `${created_at} ${name}`;
  return { backups: backups.toSorted((a, b) => (age(a) < age(b) ? -1 : 1)), unreadable };
}

/**
 * Writes a backup into a staging folder and renames it when it is complete. If the name exists, a number is appended.
 * If `write` throws, nothing remains.
 *
 * @returns the folder of the backup
 */
export async function publishBackup(
  root: string,
  name: string,
  write: (folder: string) => Promise<void>,
): Promise<string> {
  await mkdir(root, { recursive: true, mode: 0o750 });
  await removeAbandoned(root);
  const staging = join(root, `${unfinishedPrefix}${machine}.${process.pid}.${name}`);
  await mkdir(staging, { mode: 0o750 });
  try {
    await write(staging);
    const target = await freeName(root, name);
    await rename(staging, target);
    return target;
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

async function freeName(root: string, name: string): Promise<string> {
  for (let number = 1; ; number++) {
    const target = join(root, number === 1 ? name : `${name}-${number}`);
    if (!(await stat(target).catch(ignoreMissing))) return target;
  }
}

/** Removes the staging folders of dead processes of this machine. */
async function removeAbandoned(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(unfinishedPrefix)) continue;
    const [host, pid] = name.slice(unfinishedPrefix.length).split('.');
    if (host !== machine || isAlive(Number(pid))) continue;
    await rm(join(root, name), { recursive: true, force: true });
  }
}

/**
 * Removes the oldest backups of a kind until `keep` are left.
 *
 * @param isCounted returns whether a backup is counted and may be removed
 * @returns the names of the removed backups
 */
export async function keepNewest(
  root: string,
  keep: number,
  isCounted: (backup: ListedBackup) => boolean,
): Promise<string[]> {
  const counted = (await listBackups(root)).backups.filter(isCounted);
  const surplus = counted.slice(0, Math.max(0, counted.length - keep));
  await removeBackups(root, surplus);
  return surplus.map(({ name }) => name);
}

/** Removes backups. An interrupted removal leaves nothing that looks like a backup. */
export async function removeBackups(root: string, backups: readonly ListedBackup[]): Promise<void> {
  for (const { name, folder } of backups) {
    const staging = join(root, `${unfinishedPrefix}${machine}.${process.pid}.${name}`);
    await rename(folder, staging);
    await rm(staging, { recursive: true, force: true });
  }
}

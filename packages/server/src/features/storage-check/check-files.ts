import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../platform/db/database.ts';
import { isOfDeadProcess, stagingName } from '../../platform/files/local-files.ts';
import { stagingSeconds } from '../../platform/files/staging.ts';
import { type Finding, finding } from './finding.ts';
import type { Patience } from './invariants.store.ts';
import {
  listAwaitedUploads,
  listPendingFolders,
  listSourceFolders,
  listStemFolders,
  type NamedFolder,
} from './stored-rows.store.ts';

/** State of one comparison of files with rows. */
interface Comparison {
  readonly root: string;
  readonly patience: Patience;
  readonly nowMs: number;
  readonly found: Finding[];
  /** Relative paths of folders that are pending deletion: their content is no further finding. */
  readonly pending: ReadonlySet<string>;
}

function entriesOf(path: string): Dirent[] {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function factsOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

/** Tells whether a path may belong to work under way, because it or its content was changed recently. */
function isYoung({ root, patience, nowMs }: Comparison, path: string): boolean {
  if (patience.graceSeconds === 0) return false;
  const before = nowMs - patience.graceSeconds * 1000;
  const facts = factsOf(join(root, path));
  if (!facts) return false;
  if (facts.mtimeMs > before) return true;
  return (
    facts.isDirectory() &&
    entriesOf(join(root, path)).some(({ name }) => (factsOf(join(root, path, name))?.mtimeMs ?? 0) > before)
  );
}

/** Compares the files of one folder with the files in its rows. */
function compareFolder(comparison: Comparison, folder: string, { files }: NamedFolder): void {
  const { root, found } = comparison;
  const named = new Set(files.map(({ path }) => path));
  for (const { path, bytes } of files) {
    const facts = factsOf(join(root, path));
    if (!facts?.isFile()) found.push(finding('missing_file', path, 'a row names it and it is not there'));
    else if (bytes !== null && facts.size !== bytes)
      found.push(finding('wrong_size', path, `it has ${facts.size} bytes, its row says ${bytes}`));
  }
  for (const entry of entriesOf(join(root, folder))) {
    const path = `${folder}/${entry.name}`;
    if (!named.has(path) && !isYoung(comparison, path))
      found.push(finding('unknown_file', path, 'no row names it'));
  }
}

/**
 * Compares the subfolders of a folder with the rows. `isExpected` tells whether a subfolder without a row is
 * legitimate.
 */
async function compareAll(
  comparison: Comparison,
  parent: 'downloads' | 'stems',
  batches: AsyncIterable<readonly NamedFolder[]>,
  isExpected: (name: string) => boolean,
): Promise<void> {
  const { root, found, pending } = comparison;
  const entries = entriesOf(join(root, parent));
  const unknown = new Set(entries.map((entry) => entry.name));
  for await (const batch of batches) {
    for (const folder of batch) {
      unknown.delete(folder.id);
      compareFolder(comparison, `${parent}/${folder.id}`, folder);
    }
    // Lets other work of this process run between the batches.
    await setImmediate();
  }
  for (const name of unknown) {
    const path = `${parent}/${name}`;
    if (isExpected(name) || pending.has(path) || isYoung(comparison, path)) continue;
    const files = entriesOf(join(root, path)).length;
    found.push(
      finding('unknown_folder', path, `no row names it; ${files === 1 ? '1 file' : `${files} files`} in it`),
    );
  }
}

function checkStaging({ root, patience, nowMs, found }: Comparison): void {
  for (const { name } of entriesOf(join(root, stagingName))) {
    const facts = factsOf(join(root, stagingName, name));
    if (!facts) continue;
    const isDead = isOfDeadProcess(name);
    const ageSeconds = (nowMs - facts.mtimeMs) / 1000;
    const limit = patience.graceSeconds + (isDead || !patience.isRunning ? 0 : stagingSeconds);
    if (ageSeconds < limit) continue;
    const writer = isDead ? 'the process that wrote it has ended' : 'nobody has changed it for long';
    found.push(finding('stale_staging', `${stagingName}/${name}`, writer));
  }
}

/**
 * Compares the stored files with the rows that refer to them, in batches.
 *
 * @param root absolute path of the uploads directory
 */
export async function checkFiles(
  db: Db,
  root: string,
  patience: Patience,
  nowMs: number,
): Promise<readonly Finding[]> {
  const folders = await listPendingFolders(db);
  const comparison: Comparison = {
    root,
    patience,
    nowMs,
    found: [],
    pending: new Set(folders.map(({ path }) => path)),
  };
  const { found } = comparison;
  for (const { path, ageSeconds } of folders) {
    if (ageSeconds < patience.graceSeconds) continue;
    const state = factsOf(join(root, path)) ? 'still stands' : 'is gone, its entry is not';
    found.push(finding('pending_deletion', path, `a folder whose rows were deleted ${state}`));
  }
  const uploads = await listAwaitedUploads(db);
  for (const [id, { isUnfinished }] of uploads) {
    const path = `downloads/${id}/received`;
    if (isUnfinished && !factsOf(join(root, path)))
      found.push(finding('missing_file', path, 'an upload that a job is to prepare is not there'));
  }
  await compareAll(comparison, 'downloads', listSourceFolders(db), (name) => uploads.has(name));
  await compareAll(comparison, 'stems', listStemFolders(db), () => false);
  checkStaging(comparison);
  return found;
}

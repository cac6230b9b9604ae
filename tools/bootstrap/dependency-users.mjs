import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAlive } from './lock.mjs';
import { runtimeFolder } from './paths.mjs';

const defaultFolder = path.join(runtimeFolder, 'dependency-users');

/**
 * Marks the installed dependencies as used by this process, so that no other command replaces them meanwhile. The mark
 * is removed when the process exits; the mark of a killed process is ignored.
 *
 * @param {string} [folder] folder of the marks
 */
export function useDependencies(folder = defaultFolder) {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, String(process.pid));
  writeFileSync(file, '');
  process.once('exit', () => rmSync(file, { force: true }));
}

/**
 * Returns the process ids of other running processes that use the dependencies.
 *
 * @param {string} [folder] folder of the marks
 */
export function listDependencyUsers(folder = defaultFolder) {
  mkdirSync(folder, { recursive: true });
  return readdirSync(folder)
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid !== process.pid && isAlive(pid));
}

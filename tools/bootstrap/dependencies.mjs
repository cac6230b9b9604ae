import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { listDependencyUsers } from './dependency-users.mjs';
import { withLock } from './lock.mjs';
import { runNpm } from './npm.mjs';
import { root } from './paths.mjs';
import { Stop, say } from './say.mjs';

/** @param {string} file */
function packagesOf(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null;
}

/**
 * Checks whether `node_modules` contains the packages of the lock file. Reads npm's own list of installed packages
 * (`node_modules/.package-lock.json`), which npm writes last, so an interrupted install counts as missing. Optional
 * packages may be absent: most of them are for other platforms.
 *
 * @param {Record<string, any>} wanted `packages` of the lock file
 * @param {Record<string, any> | null} installed `packages` of npm's list
 */
export function isInSync(wanted, installed) {
  if (!installed) return false;
  for (const [where, entry] of Object.entries(wanted)) {
    if (!where.startsWith('node_modules/')) continue;
    const found = installed[where];
    if (!found) {
      if (entry.optional) continue;
      return false;
    }
    if (found.version !== entry.version || found.integrity !== entry.integrity) return false;
  }
  return Object.keys(installed).every((where) => !where.startsWith('node_modules/') || where in wanted);
}

/**
 * Installs the locked dependencies if they are missing or belong to another lock file.
 *
 * @param {string} nodePath the Node that runs npm and the packages' scripts
 * @throws Stop while a test run uses the installed packages
 */
export async function ensureDependencies(nodePath) {
  const check = () =>
    isInSync(
      packagesOf(path.join(root, 'package-lock.json')) ?? {},
      packagesOf(path.join(root, 'node_modules', '.package-lock.json')),
    );
  if (check()) return;
  await withLock('dependencies', async () => {
    if (check()) return;
    const users = listDependencyUsers();
    if (users.length > 0)
      throw new Stop(
        `The dependencies must be installed anew, but a test run uses them (process ${users.join(', ')}). Repeat the command when it has ended.`,
      );
    say('Installing the dependencies as locked (once; a minute or so)…');
    await runNpm(nodePath, ['ci', '--prefer-offline'], { cwd: root, doing: 'Installing the dependencies' });
  });
}

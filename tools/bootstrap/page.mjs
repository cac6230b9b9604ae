import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withLock } from './lock.mjs';
import { root } from './paths.mjs';
import { Stop, say, tail } from './say.mjs';

const webFolder = path.join(root, 'packages', 'web');
const stampFile = path.join(webFolder, 'dist', '.built-from');

/** Sources of the web page. Tests are left out, because they do not change it. */
const sources = [
  'package-lock.json',
  'packages/web/index.html',
  'packages/web/vite.config.ts',
  'packages/web/package.json',
  'packages/web/public',
  'packages/web/src',
  'packages/audio/src',
  'packages/renderer/src',
  'packages/contract/src',
  'packages/dsp/src',
];

/**
 * @param {string} file
 * @returns {string[]}
 */
function filesUnder(file) {
  if (!existsSync(file)) return [];
  if (!statSync(file).isDirectory()) return [file];
  return readdirSync(file, { recursive: true, encoding: 'utf8' })
    .filter((name) => !/\.(test|bench)\.tsx?$/.test(name))
    .map((name) => path.join(file, name))
    .filter((inside) => statSync(inside).isFile())
    .sort();
}

/** Returns the hash of the names and contents of all sources of the page. */
function hashOfSources() {
  const hash = createHash('sha256');
  for (const source of sources) {
    for (const file of filesUnder(path.join(root, source))) {
      hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

/** Path of Vite's command line, a file for Node. */
export const viteCli = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js');

/**
 * Builds the page if its sources changed since the last build, or always with `force`. Vite empties its output folder
 * first, so an interrupted build leaves no stamp file and is repeated.
 *
 * @param {string} nodePath
 * @param {{ force?: boolean }} [options]
 */
export async function ensurePage(nodePath, { force = false } = {}) {
  const isFresh = (/** @type {string} */ hash) =>
    existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hash;
  if (!force && isFresh(hashOfSources())) return;
  await withLock('page', async () => {
    const hash = hashOfSources();
    if (!force && isFresh(hash)) return;
    say('Building the page…');
    const child = spawn(nodePath, [viteCli, 'build', '--logLevel', 'warn'], {
      cwd: webFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (bytes) => (output += bytes));
    child.stderr.on('data', (bytes) => (output += bytes));
    const code = await new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', resolve);
    });
    if (code !== 0)
      throw new Stop(`Building the page failed (vite ended with ${code}):\n${tail(output, 40)}`);
    writeFileSync(stampFile, hash);
  });
}

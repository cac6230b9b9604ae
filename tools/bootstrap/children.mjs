import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';
import { compileCacheFolder, root } from './paths.mjs';

/**
 * Starts `nodePath` with `args` on this terminal. The working directory is the repository's root by default, and that
 * Node is first on PATH. Compiled code is cached unless the environment says where: a process that finds its modules
 * there, such as the separation engine and its threads, starts faster and needs less memory.
 *
 * @param {string} nodePath
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @param {Record<string, string>} [settings] environment variables added to those of this process
 */
export function startNode(nodePath, args, cwd = root, settings = {}) {
  return spawn(nodePath, args, {
    cwd,
    stdio: 'inherit',
    env: {
      // Compiled code of hundreds of modules: without it a start takes about three times the processor time.
      NODE_COMPILE_CACHE: compileCacheFolder,
      ...process.env,
      ...settings,
      PATH: `${path.dirname(nodePath)}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  });
}

/**
 * Waits for children and forwards signals to them. When one ends, the others are terminated too.
 *
 * @param {readonly import('node:child_process').ChildProcess[]} children
 * @returns {Promise<number>} the exit code of the first that ended, 128 + n for signal n, as in a shell
 */
export async function follow(children) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => {
      // Ctrl+C in a terminal reaches the whole process group; a second signal would end the child at once.
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      for (const child of children) child.kill(signal);
    });
  }
  const stopWatching = whenAbandoned(() => {
    for (const child of children) child.kill('SIGTERM');
  });
  const ends = children.map(
    (child) =>
      new Promise((resolve, reject) => {
        child.on('error', reject);
        child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
      }),
  );
  const code = await Promise.race(ends);
  for (const child of children) if (child.exitCode === null) child.kill('SIGTERM');
  await Promise.all(ends);
  stopWatching();
  return code;
}

/**
 * Calls `abandoned` when the shell in which npm started this process has ended. A signal to npm ends that shell, which
 * does not forward it, so the children would keep running.
 *
 * @param {() => void} abandoned
 * @returns {() => void} stops watching
 */
function whenAbandoned(abandoned) {
  if (process.env.npm_lifecycle_event === undefined) return () => {};
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    abandoned();
  }, 300);
  return () => clearInterval(timer);
}

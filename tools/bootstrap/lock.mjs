import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runtimeFolder } from './paths.mjs';
import { say } from './say.mjs';

const pollMs = 250;

/**
 * Returns whether a process is running.
 *
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** @param {string} file */
function readOwner(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

/**
 * Removes the lock of a process that died. If two processes find it at once, only one rename succeeds; a process that
 * renamed a newer lock by mistake (its content differs) restores it.
 *
 * @param {string} file
 * @param {string} deadOwner
 */
function breakLock(file, deadOwner) {
  const claimedFile = `${file}.${process.pid}`;
  try {
    renameSync(file, claimedFile);
  } catch {
    return;
  }
  if (readOwner(claimedFile) === deadOwner) rmSync(claimedFile, { force: true });
  else renameSync(claimedFile, file);
}

/**
 * Runs `work` while no other run of this repository holds the lock of that name; waits for the lock otherwise. The lock
 * is a file with the owner's process id, so that a lock left by a killed run is recognised and taken over.
 *
 * @template T
 * @param {string} name
 * @param {() => T | Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(name, work) {
  mkdirSync(runtimeFolder, { recursive: true });
  const file = path.join(runtimeFolder, `${name}.lock`);
  const owner = `${process.pid}\n`;
  let hasReported = false;
  for (;;) {
    try {
      writeFileSync(file, owner, { flag: 'wx' });
      break;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    const other = readOwner(file);
    // An empty file was just created and its process id is not written yet.
    if (other !== null && other !== '' && !isAlive(Number.parseInt(other, 10))) breakLock(file, other);
    else {
      if (!hasReported) say('Another run is preparing the same thing: waiting for it.');
      hasReported = true;
      await sleep(pollMs);
    }
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

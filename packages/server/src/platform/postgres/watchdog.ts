import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../config.ts';

/** A small process that notices when ours ends. */
export interface Watchdog {
  /** Ends it: nothing is left to be stopped. */
  dismiss(): void;
}

/**
 * Waits in `read` until the other end of its standard input closes, which the kernel does when the service ends in
 * whatever way; a line means that all is well. A shell of under 1 MB waits, not a Node process of 50 MB.
 */
const script = 'read -r line && exit 0; sleep "$1"; shift; exec "$@"';
const program = fileURLToPath(new URL('stop-abandoned.ts', import.meta.url));

/**
 * Starts a process that outlives ours, and stops the database `seconds` after our end unless another process holds the
 * lock on the data directory by then. On Windows there is none, and the database of a killed service runs on.
 */
export async function startWatchdog(dataDir: string, folder: string, seconds: number): Promise<Watchdog> {
  if (process.platform === 'win32') return { dismiss: () => undefined };
  const output = await open(`${folder}.log`, 'a', 0o600);
  try {
    const args = ['-c', script, 'sh', String(seconds), process.execPath, program, dataDir, folder];
    const child: ChildProcess = spawn('/bin/sh', args, {
      cwd: '/',
      env: childEnvironment(),
      stdio: ['pipe', output.fd, output.fd],
      detached: true,
    });
    // Without it the service runs as well; the database then outlives a kill -9, as the next start expects anyway.
    child.on('error', () => undefined);
    child.unref();
    const input = child.stdin as Socket | null;
    input?.on('error', () => undefined);
    input?.unref();
    return { dismiss: () => void input?.end('done\n') };
  } finally {
    await output.close();
  }
}

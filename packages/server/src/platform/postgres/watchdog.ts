import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../config.ts';

/** Small process that detects the end of this process. */
export interface Watchdog {
  /** Ends the watchdog because there is nothing left to stop. */
  dismiss(): void;
}

/**
 * Script of the watchdog. `read` waits until the other end of standard input closes, which the kernel does when the
 * service ends in any way; a line means a clean shutdown. A shell of under 1 MB waits instead of a Node process of 50
 * MB.
 */
const script = 'read -r line && exit 0; sleep "$1"; shift; exec "$@"';
const program = fileURLToPath(new URL('stop-abandoned.ts', import.meta.url));

/**
 * Starts a process that outlives this one and stops the database `seconds` after its end. It does not if another
 * process then holds the lock on the data directory. Not available on Windows, where the database of a killed service
 * keeps running.
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
    // The service also runs without the watchdog: the database then outlives a kill -9, which the next start handles
    // anyway.
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

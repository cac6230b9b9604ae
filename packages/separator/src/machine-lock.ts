import { link, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns the socket address of a queue: a name that the system frees with its process, or a file on systems without
 * such names. A killed process leaves the file behind.
 */
function addressOf(queue: string): { readonly path: string; readonly isFile: boolean } {
  if (process.platform === 'linux') return { path: `\0${queue}`, isFile: false };
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\${queue}`, isFile: false };
  return { path: join(tmpdir(), `${queue}.sock`), isFile: true };
}

/** Listens at the address, or returns null if another process does. */
function listenAt(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    // A waiting process holds a connection; its end signals that the lock is free.
    const server = createServer((socket) => void socket.on('error', () => undefined).resume());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

/** Waits until the holder of the address is gone. Resolves to false if there was none. */
function waitForRelease(path: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let wasHeld = false;
    const socket = connect({ path });
    const leave = (): void => {
      socket.destroy();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.on('connect', () => {
      wasHeld = true;
      socket.resume();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      signal.removeEventListener('abort', leave);
      resolve(wasHeld);
    });
  });
}

/** Removes the socket file of a killed process; puts it back if another process is listening on it meanwhile. */
async function removeStale(path: string, signal: AbortSignal): Promise<void> {
  const movedPath = `${path}.${process.pid}`;
  const isMoved = await rename(path, movedPath).then(
    () => true,
    () => false,
  );
  if (!isMoved) return;
  const stopWaiting = new AbortController();
  const end = AbortSignal.any([signal, stopWaiting.signal]);
  const isAlive = await Promise.race([
    waitForRelease(movedPath, end).catch(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 1000)),
  ]);
  stopWaiting.abort();
  if (isAlive) await link(movedPath, path).catch(() => undefined);
  await rm(movedPath, { force: true });
}

/** Creates the lock of a listening server: connected processes wait for it. */
function createLock(server: Server): MachineLock {
  const waiting = new Set<{ destroy(): void }>();
  let onRequest: (() => void) | null = null;
  server.on('connection', (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    onRequest?.();
  });
  return {
    onRequested(listener) {
      onRequest = listener;
      if (waiting.size > 0) listener?.();
    },
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of waiting) socket.destroy();
      }),
  };
}

/** A lock over all processes of this machine. Freed by `release` or when the process ends for any reason. */
export interface MachineLock {
  release(): Promise<void>;
  /** Calls `listener` when another process waits for the lock, at once if one does already; null removes it. */
  onRequested(listener: (() => void) | null): void;
}

/**
 * Acquires the lock of this name, waiting until no other process of this machine holds it.
 *
 * @param onWait called when another process holds the lock
 * @throws the signal's reason when it aborts
 */
export async function acquireMachineLock(
  queue: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<MachineLock> {
  const { path, isFile } = addressOf(queue);
  for (;;) {
    signal.throwIfAborted();
    const server = await listenAt(path);
    if (server !== null) return createLock(server);
    onWait();
    const wasHeld = await waitForRelease(path, signal);
    if (!wasHeld && isFile) await removeStale(path, signal);
  }
}

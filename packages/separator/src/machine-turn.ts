import { link, rename, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The address that stands for a queue: a name that goes with its process, where the system has such names; else a
 * file, which a process that was killed leaves behind.
 */
function addressOf(queue: string): { readonly path: string; readonly isFile: boolean } {
  if (process.platform === 'linux') return { path: `\0${queue}`, isFile: false };
  if (process.platform === 'win32') return { path: `\\\\.\\pipe\\${queue}`, isFile: false };
  return { path: join(tmpdir(), `${queue}.sock`), isFile: true };
}

/** Takes the address; null where somebody has it. */
function listenAt(path: string): Promise<Server | null> {
  return new Promise((resolve, reject) => {
    // Whoever waits holds a connection; its end tells them that the turn is free.
    const server = createServer((socket) => void socket.on('error', () => undefined).resume());
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen({ path, exclusive: true }, () => resolve(server));
  });
}

/** Resolves when whoever has the address has gone: true after they were there, false when nobody answered. */
function untilGone(path: string, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    let wasThere = false;
    const socket = connect({ path });
    const leave = (): void => {
      socket.destroy();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.on('connect', () => {
      wasThere = true;
      socket.resume();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      signal.removeEventListener('abort', leave);
      resolve(wasThere);
    });
  });
}

/** Takes away the file of a process that was killed; looked at once more after that, for another may be as quick. */
async function removeStale(path: string, signal: AbortSignal): Promise<void> {
  const taken = `${path}.${process.pid}`;
  const isTaken = await rename(path, taken).then(
    () => true,
    () => false,
  );
  if (!isTaken) return;
  const living = new AbortController();
  const end = AbortSignal.any([signal, living.signal]);
  const isAlive = await Promise.race([
    untilGone(taken, end).catch(() => true),
    new Promise<boolean>((resolve) => setTimeout(() => resolve(true), 1000)),
  ]);
  living.abort();
  if (isAlive) await link(taken, path).catch(() => undefined);
  await rm(taken, { force: true });
}

/** The turn of whoever listens: those who are connected wait for it. */
function turnOf(server: Server): MachineTurn {
  const waiting = new Set<{ destroy(): void }>();
  let tellAsked: (() => void) | null = null;
  server.on('connection', (socket) => {
    waiting.add(socket);
    socket.once('close', () => waiting.delete(socket));
    tellAsked?.();
  });
  return {
    onAsked(tell) {
      tellAsked = tell;
      if (waiting.size > 0) tell?.();
    },
    release: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of waiting) socket.destroy();
      }),
  };
}

/** A turn that has been taken. It goes back by `release`, or when the process ends, however it does. */
export interface MachineTurn {
  release(): Promise<void>;
  /** Has `tell` called as soon as somebody waits for the turn, at once where somebody does already; null: no more. */
  onAsked(tell: (() => void) | null): void;
}

/**
 * Waits until no other process of this machine has the turn of this name, and takes it.
 *
 * @param onWait called when somebody else has the turn
 * @throws the signal's reason when it aborts
 */
export async function takeMachineTurn(
  queue: string,
  { signal, onWait }: { readonly signal: AbortSignal; readonly onWait: () => void },
): Promise<MachineTurn> {
  const { path, isFile } = addressOf(queue);
  for (;;) {
    signal.throwIfAborted();
    const server = await listenAt(path);
    if (server !== null) return turnOf(server);
    onWait();
    const wasThere = await untilGone(path, signal);
    if (!wasThere && isFile) await removeStale(path, signal);
  }
}

import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Size and SHA-256 of data. */
export interface Hashed {
  readonly bytes: number;
  readonly sha256: string;
}

const pieceBytes = 1024 * 1024;

async function readThrough(
  from: FileHandle,
  signal: AbortSignal,
  take: (piece: Buffer) => Promise<void> | void,
): Promise<Hashed> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  for (;;) {
    signal.throwIfAborted();
    const { bytesRead } = await from.read(buffer, 0, pieceBytes, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const piece = buffer.subarray(0, bytesRead);
    hash.update(piece);
    await take(piece);
    bytes += bytesRead;
  }
}

/** Returns size and SHA-256 of a file. `onBytes` receives the size of each chunk. */
export async function hashFile(
  path: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<Hashed> {
  const from = await open(path, 'r');
  try {
    return await readThrough(from, signal, (piece) => onBytes(piece.length));
  } finally {
    await from.close();
  }
}

/** Copied file. */
export interface Copied extends Hashed {
  /** Modification time of the source and the copy, in epoch milliseconds. */
  readonly modifiedMs: number;
}

/**
 * Copies a file and hashes its bytes. The copy is synced to disk and has the source's modification time. The target
 * must not exist. Links are not followed.
 */
export async function copyFileHashed(
  source: string,
  target: string,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<Copied> {
  const from = await open(source, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  try {
    const modifiedMs = Math.floor((await from.stat()).mtimeMs);
    const to = await open(target, 'wx', 0o640);
    try {
      const hashed = await readThrough(from, signal, async (piece) => {
        for (let done = 0; done < piece.length; )
          done += (await to.write(piece, done, piece.length - done)).bytesWritten;
        onBytes(piece.length);
      });
      await to.utimes(new Date(modifiedMs), new Date(modifiedMs));
      await to.sync();
      return { ...hashed, modifiedMs };
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

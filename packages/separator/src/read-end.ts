import { open } from 'node:fs/promises';

/**
 * Reads the last `bytes` bytes of a file, or all of a shorter one.
 *
 * @throws the error of the file system
 */
export async function readEnd(absolutePath: string, bytes: number): Promise<Uint8Array> {
  const file = await open(absolutePath, 'r');
  try {
    const { size } = await file.stat();
    const end = new Uint8Array(Math.min(bytes, size));
    const { bytesRead } = await file.read(end, 0, end.length, size - end.length);
    return end.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

import { open } from 'node:fs/promises';

/**
 * Returns the last `bytes` bytes of the file at `absolutePath`, or all bytes of a shorter file. Throws the system's
 * errors.
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

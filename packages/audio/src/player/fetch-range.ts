import type { FileRange } from './stem-file.ts';

/**
 * Fetches a range of a file over HTTP under the login cookie. A server that does not know ranges sends the whole file,
 * of which the range is taken.
 *
 * @throws Error in words a listener understands, where the file cannot be had
 * @see RFC 9110, 14 Range Requests
 */
export async function fetchRange(
  address: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FileRange> {
  const response = await fetch(address, { headers: { range: `bytes=${from}-${to - 1}` }, signal });
  if (response.status === 404) throw new Error('a stem is no longer there; separate the track again');
  if (!response.ok)
    throw new Error(`a stem could not be loaded (the studio answered with ${response.status})`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (response.status !== 206) return { bytes: bytes.slice(from, to), totalBytes: bytes.length };
  const total = Number(response.headers.get('content-range')?.split('/')[1]);
  return { bytes, totalBytes: Number.isFinite(total) ? total : from + bytes.length };
}

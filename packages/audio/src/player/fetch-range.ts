import type { FileRange } from './stem-file.ts';

/** A part of a file that could not be had; the message is for a listener. */
export class FileFetchError extends Error {
  /** Whether the same request may succeed a little later. */
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable: boolean) {
    super(message);
    this.name = 'FileFetchError';
    this.isRetryable = isRetryable;
  }
}

/**
 * Fetches a range of a file over HTTP under the login cookie. A server that does not know ranges sends the whole file,
 * of which the range is taken.
 *
 * @throws FileFetchError where it cannot be had
 * @see RFC 9110, 14 Range Requests
 */
export async function fetchRange(
  address: string,
  from: number,
  to: number,
  signal: AbortSignal,
): Promise<FileRange> {
  try {
    const response = await fetch(address, { headers: { range: `bytes=${from}-${to - 1}` }, signal });
    if (!response.ok) throw refusal(response.status);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (response.status !== 206) return { bytes: bytes.slice(from, to), totalBytes: bytes.length };
    const total = Number(response.headers.get('content-range')?.split('/')[1]);
    return { bytes, totalBytes: Number.isFinite(total) ? total : from + bytes.length };
  } catch (error) {
    if (error instanceof FileFetchError || signal.aborted) throw error;
    throw new FileFetchError('the connection broke while a stem was loading', true);
  }
}

function refusal(status: number): FileFetchError {
  if (status === 404) return new FileFetchError('a stem is no longer there; separate the track again', false);
  if (status === 401) return new FileFetchError('you are logged out; log in again in a new tab', false);
  return new FileFetchError(`a stem could not be loaded (the studio answered with ${status})`, status >= 429);
}

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
    throw brokenConnection();
  }
}

/**
 * Fetches a whole file over HTTP under the login cookie, in the pieces in which it arrives.
 *
 * @throws FileFetchError where it cannot be had, here or while it is read
 */
export async function fetchStream(address: string, signal: AbortSignal): Promise<AsyncGenerator<Uint8Array>> {
  try {
    const response = await fetch(address, { signal });
    if (!response.ok || !response.body) throw refusal(response.status);
    return pieces(response.body.getReader(), signal);
  } catch (error) {
    if (error instanceof FileFetchError || signal.aborted) throw error;
    throw brokenConnection();
  }
}

async function* pieces(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw signal.aborted ? error : brokenConnection();
      });
      if (done) return;
      yield value;
    }
  } finally {
    // What is left of it nobody reads.
    await reader.cancel().catch(() => {});
  }
}

function brokenConnection(): FileFetchError {
  return new FileFetchError('the connection broke while the sound was loading', true);
}

function refusal(status: number): FileFetchError {
  if (status === 404) {
    return new FileFetchError('the sound is no longer there; download or separate the track again', false);
  }
  if (status === 401) return new FileFetchError('you are logged out; log in again in a new tab', false);
  return new FileFetchError(
    `the sound could not be loaded (the studio answered with ${status})`,
    status >= 429,
  );
}

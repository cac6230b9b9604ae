import type { FileRange } from '@stem-studio/renderer/sources/stem-file';

/** Error of a file that could not be loaded, with a message for the user. */
export class FileFetchError extends Error {
  /** Whether a retry may succeed. */
  readonly isRetryable: boolean;

  constructor(message: string, isRetryable: boolean) {
    super(message);
    this.name = 'FileFetchError';
    this.isRetryable = isRetryable;
  }
}

/**
 * Fetches a byte range of a file over HTTP with the login cookie. A server without range support sends the whole file,
 * of which the range is taken.
 *
 * @throws FileFetchError where it cannot be loaded
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
    if (response.status !== PARTIAL) return { bytes: bytes.slice(from, to), totalBytes: bytes.length };
    const total = Number(response.headers.get('content-range')?.split('/')[1]);
    return { bytes, totalBytes: Number.isFinite(total) ? total : from + bytes.length };
  } catch (error) {
    if (error instanceof FileFetchError || signal.aborted) throw error;
    throw brokenConnection();
  }
}

/** A file over HTTP that can be read from any byte on. */
export interface FetchedFile {
  /** All bytes, as they arrive; the request is answered already. */
  bytes: AsyncGenerator<Uint8Array>;
  /** Bytes from `offset` on; none where the file ends before. Throws as `fetchFile` does. */
  readFrom: (offset: number) => AsyncGenerator<Uint8Array>;
  /** Length in bytes; undefined where the server does not state it. */
  fileBytes: number | undefined;
}

/**
 * Fetches a file over HTTP with the login cookie.
 *
 * @throws FileFetchError where it cannot be loaded, here or while it is read
 */
export async function fetchFile(address: string, signal: AbortSignal): Promise<FetchedFile> {
  const { response, body } = await answer(address, {}, signal);
  const length = Number(response.headers.get('content-length') ?? Number.NaN);
  return {
    bytes: chunks(body, signal),
    readFrom: (offset) => chunksFrom(address, offset, signal),
    fileBytes: Number.isFinite(length) ? length : undefined,
  };
}

const PARTIAL = 206;
const PAST_END = 416;

async function answer(address: string, headers: Record<string, string>, signal: AbortSignal) {
  try {
    const response = await fetch(address, { headers, signal });
    const isPastEnd = response.status === PAST_END && headers['range'] !== undefined;
    if ((!response.ok && !isPastEnd) || !response.body) throw refusal(response.status);
    return { response, body: response.body.getReader(), isPastEnd };
  } catch (error) {
    if (error instanceof FileFetchError || signal.aborted) throw error;
    throw brokenConnection();
  }
}

async function* chunksFrom(address: string, offset: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const { response, body, isPastEnd } = await answer(address, { range: `bytes=${offset}-` }, signal);
  // A server without range support sends the whole file.
  let before = response.status === PARTIAL ? 0 : offset;
  for await (const chunk of chunks(body, signal)) {
    if (isPastEnd) return;
    if (before < chunk.length) yield before > 0 ? chunk.subarray(before) : chunk;
    before = Math.max(0, before - chunk.length);
  }
}

async function* chunks(
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
    // The rest is not needed.
    await reader.cancel().catch(() => {});
  }
}

function brokenConnection(): FileFetchError {
  return new FileFetchError('the connection broke while the sound was loading', true);
}

function refusal(status: number): FileFetchError {
  if (status === 404) {
    return new FileFetchError('the audio file no longer exists; download or separate the track again', false);
  }
  if (status === 401) return new FileFetchError('you are logged out; log in again in a new tab', false);
  return new FileFetchError(
    `the audio could not be loaded (the server answered with ${status})`,
    status >= 429,
  );
}

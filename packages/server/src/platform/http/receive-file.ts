import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { HeldSpace } from '../disk/reserve-space.ts';
import { badRequest, invalid, messageOf, ServiceError, tooLarge } from '../errors.ts';

/** Received file that is stored at its final path. */
export interface ReceivedFile {
  /** File name given by the sender, without folders. For display only, never for a path. */
  readonly fileName: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

/** Returns the maximum size of an upload in bytes. A megabyte is 2^20 bytes here, as in file managers. */
export function maxUploadBytes(maxUploadMb: number): number {
  return maxUploadMb * 2 ** 20;
}

/** Maximum size of the multipart data around a file, in bytes. */
const envelopeBytes = 20_000;
const longestNameLength = 255;
/** Step in which disk space for a file of unknown length is reserved, in bytes. */
const growBytes = 4 * 2 ** 20;

/** Converts an error of reading a multipart body to a 400 error, unless it has a status already. */
export function unreadableBody(error: unknown): Error {
  if (error instanceof ServiceError || (error instanceof Error && 'statusCode' in error)) return error;
  return badRequest(`the multipart body cannot be read (${messageOf(error)})`);
}

/**
 * Reads the chunks of a part. Only errors of reading are converted by {@link unreadableBody}, not errors of the consumer.
 */
async function* chunksOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw unreadableBody(error);
  }
}

/**
 * Returns a file name for display: its last segment, at most 255 characters. Control characters and unpaired surrogates
 * are replaced.
 */
function shownName(fileName: string): string {
  const name = fileName.split(/[\\/]/).at(-1) ?? '';
  return name
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longestNameLength)
    .toWellFormed();
}

/**
 * Streams the part named `file` of a multipart request to `path` and hashes it. The file is staged and appears at
 * `path` only when it is complete; after an error nothing remains.
 *
 * @param hold reserves disk space before the first byte is read: the announced length including the multipart data,
 *   or a first step for an unknown length, which then grows with the file
 * @param maxBytes largest file; that of uploads by default
 * @throws 400 if the body cannot be read or ends early, 413 if the file is too large (before reading it if its length
 *   is announced), 422 if the part is missing or empty
 */
export async function receiveFile(
  context: Context,
  request: FastifyRequest,
  path: string,
  hold?: (bytes: number) => Promise<HeldSpace>,
  maxBytes = maxUploadBytes(context.config.maxUploadMb),
): Promise<ReceivedFile> {
  const oversized = tooLarge(`a file must not be larger than ${Math.floor(maxBytes / 2 ** 20)} MB`);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + envelopeBytes) throw oversized;
  if (!request.isMultipart()) throw invalid({ file: ['must be sent as multipart/form-data'] });
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  const held = await hold?.(Number.isNaN(announced) ? growBytes : announced);
  try {
    return await receivePart(context, request, path, { oversized, held, maxBytes });
  } finally {
    await held?.release();
  }
}

async function receivePart(
  context: Context,
  request: FastifyRequest,
  path: string,
  {
    oversized,
    held,
    maxBytes,
  }: {
    readonly oversized: ServiceError;
    readonly held: HeldSpace | undefined;
    readonly maxBytes: number;
  },
): Promise<ReceivedFile> {
  const part = await request
    .file({ limits: { fileSize: maxBytes } })
    .catch((error: unknown) => Promise.reject(unreadableBody(error)));
  if (!part) throw invalid({ file: ['is required'] });
  if (part.fieldname !== 'file') {
    part.file.resume();
    throw invalid({ [part.fieldname]: ['is not a known field'], file: ['is required'] });
  }
  const hash = createHash('sha256');
  const { bytes } = await context.files.writeAtomically(path, async (out) => {
    let isEmpty = true;
    let received = 0;
    for await (const chunk of chunksOf(part.file)) {
      isEmpty = false;
      received += chunk.length;
      await held?.growTo(Math.ceil(received / growBytes) * growBytes, received);
      hash.update(chunk);
      await out.append(chunk);
    }
    if (part.file.truncated) throw oversized;
    if (isEmpty) throw invalid({ file: ['must not be empty'] });
  });
  return { fileName: shownName(part.filename), bytes, sha256: hash.digest('hex') };
}

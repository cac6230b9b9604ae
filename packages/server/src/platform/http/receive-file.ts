import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { HeldSpace } from '../disk/reserve-space.ts';
import { badRequest, invalid, messageOf, ServiceError, tooLarge } from '../errors.ts';

/** A file that came in and lies in its place. */
export interface ReceivedFile {
  /** As the sender calls it, without folders; for people, never for a path. */
  readonly fileName: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, in hex. */
  readonly sha256: string;
}

/** The largest file in bytes: a megabyte is 2^20 of them here, as file managers count. */
export function maxUploadBytes(maxUploadMb: number): number {
  return maxUploadMb * 2 ** 20;
}

/** What multipart adds around a file, at most. */
const envelopeBytes = 20_000;
const longestNameLength = 255;
/** Disk space of a file of unknown length is reserved in parts of so many bytes. */
const growBytes = 4 * 2 ** 20;

/** What went wrong while a multipart body was read: it is the body's fault unless somebody has said more. */
function unreadable(error: unknown): Error {
  if (error instanceof ServiceError || (error instanceof Error && 'statusCode' in error)) return error;
  return badRequest(`the multipart body cannot be read (${messageOf(error)})`);
}

/** The bytes of a part. Only what reading them throws is {@link unreadable}, not what is done with them. */
async function* chunksOf(file: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* file;
  } catch (error) {
    throw unreadable(error);
  }
}

/** A file name for people: its last part, on one line, of whole characters. */
function shownName(fileName: string): string {
  const name = fileName.split(/[\\/]/).at(-1) ?? '';
  return name
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, longestNameLength)
    .toWellFormed();
}

/**
 * Streams the part named `file` of a multipart request to `path`, hashing it on the way: written aside, in its place
 * only when it is whole. Throws 400 when the body cannot be read or ends early, 413 when the file is larger than allowed
 * (before reading it, where its length is announced) and 422 when there is no such part, or it is empty; nothing
 * remains then.
 *
 * @param hold reserves so many bytes before the first one is read: those that are announced, with the multipart around
 * them, or a first part of an unknown length, which then grows while the file comes in
 */
export async function receiveFile(
  context: Context,
  request: FastifyRequest,
  path: string,
  hold?: (bytes: number) => Promise<HeldSpace>,
): Promise<ReceivedFile> {
  const { maxUploadMb } = context.config;
  const limit = maxUploadBytes(maxUploadMb);
  const oversized = tooLarge(`a file must not be larger than ${maxUploadMb} MB`);
  if (Number(request.headers['content-length'] ?? 0) > limit + envelopeBytes) throw oversized;
  if (!request.isMultipart()) throw invalid({ file: ['must be sent as multipart/form-data'] });
  const announced = Number(request.headers['content-length'] ?? Number.NaN);
  const held = await hold?.(Number.isNaN(announced) ? growBytes : announced);
  try {
    return await receivePart(context, request, path, oversized, held);
  } finally {
    await held?.release();
  }
}

async function receivePart(
  context: Context,
  request: FastifyRequest,
  path: string,
  oversized: ServiceError,
  held: HeldSpace | undefined,
): Promise<ReceivedFile> {
  const part = await request.file().catch((error: unknown) => Promise.reject(unreadable(error)));
  if (!part) throw invalid({ file: ['is required'] });
  if (part.fieldname !== 'file') {
    part.file.resume();
    throw invalid({ [part.fieldname]: ['is not a known field'], file: ['is required'] });
  }
  const hash = createHash('sha256');
  const { bytes } = await context.files.writeAside(path, async (out) => {
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

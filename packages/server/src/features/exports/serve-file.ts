import { Readable } from 'node:stream';
import { exportFormats, exportFormatTable } from '@stem-studio/contract/export-formats';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../platform/context.ts';
import { failure, notFound } from '../../platform/errors.ts';
import type { FileFacts } from '../../platform/files/files.ts';
import { parseByteRange } from './byte-range.ts';

const exportMediaTypes = Object.fromEntries(
  exportFormats.map((format) => [format, exportFormatTable[format].mediaType]),
);
const mediaTypes: Readonly<Record<string, string>> = {
  ...exportMediaTypes,
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** File that can be served in byte ranges. */
export interface ServedFile {
  readonly bytes: number;
  /** Entity tag without quotes. */
  readonly tag: string;
  /** Reads the bytes from `start` up to and including `end`. */
  read(range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
}

/** Returns an empty body for HEAD: a stream, because fastify derives the length from anything else. */
export function noBody(): Readable {
  return Readable.from([]);
}

/**
 * Tells whether an `If-None-Match` header contains this tag.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
function isKnown(header: string | undefined, tag: string): boolean {
  const known = (header ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(tag);
}

/**
 * Returns size and modification time of a stored file. Throws `NOT_FOUND`, also for a path that leads outside the
 * folder.
 */
export async function factsOf({ files }: Context, path: string): Promise<FileFacts> {
  const facts = await files.stat(path).catch((error: NodeJS.ErrnoException) => {
    // System errors have a code; the error without one is a path that leads outside the folder.
    if (error.code !== undefined) throw error;
    return null;
  });
  if (!facts) throw notFound('file');
  return facts;
}

/**
 * Returns the entity tag of a stored file. Files never change under their final names, so size and time identify
 * them.
 */
export function tagOf({ bytes, modified }: FileFacts): string {
  return `${bytes.toString(36)}-${modified.getTime().toString(36)}`;
}

/** Sends a stored file as {@link serveBytes} does. Throws `NOT_FOUND`. */
export async function serveFile(
  context: Context,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const facts = await factsOf(context, path);
  const file: ServedFile = {
    bytes: facts.bytes,
    tag: tagOf(facts),
    read: (range) => context.files.read(path, range),
  };
  return serveBytes(file, path.split('.').at(-1) ?? '', request, reply);
}

/**
 * Sends a file: whole or the requested range, 304 if the client has it, headers only for HEAD. `extension` determines
 * the media type. Throws `RANGE_NOT_SATISFIABLE`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 (If-Range)
 */
export function serveBytes(
  file: ServedFile,
  extension: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const tag = `"${file.tag}"`;
  reply
    .header('etag', tag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, max-age=3600')
    .type(mediaTypes[extension] ?? 'application/octet-stream');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();

  const condition = request.headers['if-range'];
  const range = parseByteRange(
    condition === undefined || condition === tag ? request.headers.range : undefined,
    file.bytes,
  );
  if (range.kind === 'outside') {
    reply.header('content-range', `bytes */${file.bytes}`);
    throw failure('RANGE_NOT_SATISFIABLE', `the range must lie within the file's ${file.bytes} bytes`);
  }
  const part = range.kind === 'part' ? range : { start: 0, end: file.bytes - 1 };
  reply.header('content-length', Math.max(0, part.end - part.start + 1));
  if (range.kind === 'part')
    reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${file.bytes}`);
  if (request.method === 'HEAD' || file.bytes === 0) return reply.send(noBody());
  return reply.send(Readable.from(file.read(part)));
}

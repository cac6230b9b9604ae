import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { failure, notFound } from '../../platform/errors.ts';
import { parseByteRange } from './byte-range.ts';

const mediaTypes: Readonly<Record<string, string>> = {
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** A body of nothing for HEAD: a stream, because for anything else fastify counts its bytes as the length. */
export function noBody(): Readable {
  return Readable.from([]);
}

/**
 * Whether an `If-None-Match` header names this tag.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.2
 */
function isKnown(header: string | undefined, tag: string): boolean {
  const known = (header ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, ''));
  return known.includes('*') || known.includes(tag);
}

/**
 * Answers with a stored file: whole or the asked range, 304 where the asker has it already, headers only for HEAD.
 * Throws `NOT_FOUND` and `RANGE_NOT_SATISFIABLE`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1.5 (If-Range)
 */
export async function serveFile(
  context: Context,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const facts = await context.files.stat(path).catch((error: NodeJS.ErrnoException) => {
    // The system's errors have a code; without one it is a path that leads out through a link, which is nowhere.
    if (error.code !== undefined) throw error;
    return null;
  });
  if (!facts) throw notFound('file');
  // What lies under a final name never changes, so its size and time say which one it is.
  const tag = `"${facts.bytes.toString(36)}-${facts.modified.getTime().toString(36)}"`;
  reply
    .header('etag', tag)
    .header('accept-ranges', 'bytes')
    .header('cache-control', 'private, max-age=3600')
    .type(mediaTypes[path.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();

  const condition = request.headers['if-range'];
  const range = parseByteRange(
    condition === undefined || condition === tag ? request.headers.range : undefined,
    facts.bytes,
  );
  if (range.kind === 'outside') {
    reply.header('content-range', `bytes */${facts.bytes}`);
    throw failure('RANGE_NOT_SATISFIABLE', `the range must lie within the file's ${facts.bytes} bytes`);
  }
  const part = range.kind === 'part' ? range : { start: 0, end: facts.bytes - 1 };
  reply.header('content-length', Math.max(0, part.end - part.start + 1));
  if (range.kind === 'part')
    reply.code(206).header('content-range', `bytes ${part.start}-${part.end}/${facts.bytes}`);
  if (request.method === 'HEAD' || facts.bytes === 0) return reply.send(noBody());
  return reply.send(Readable.from(context.files.read(path, part)));
}

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { noBody } from './serve-file.ts';
import type { TemporaryFile } from './stem-files.ts';

/** Returns a signal that aborts when the connection closes. */
export function untilClosed(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // A connection that was already closed emits no event.
  if (reply.raw.closed || reply.raw.destroyed) gone.abort(new Error('the client closed the connection'));
  reply.raw.once('close', () => gone.abort(new Error('the client closed the connection')));
  return gone.signal;
}

/** Suspends the idle timeout of the connection while a file is encoded or checked. */
export async function withoutSilence<T>({ raw }: FastifyReply, make: () => Promise<T>): Promise<T> {
  const { socket } = raw;
  // Injected requests have no socket.
  if (!(socket instanceof Socket)) return make();
  const limitMs = socket.timeout ?? 0;
  socket.setTimeout(0);
  try {
    return await make();
  } finally {
    socket.setTimeout(limitMs);
  }
}

/** Sends a temporary file that is removed after the reply, therefore without byte ranges; only headers for HEAD. */
export async function sendTemporaryFile(
  { method }: FastifyRequest,
  reply: FastifyReply,
  { disposition, type }: { readonly disposition: string; readonly type: string },
  make: () => Promise<TemporaryFile>,
): Promise<FastifyReply> {
  reply
    .headers({
      'content-disposition': disposition,
      'cache-control': 'private, no-cache',
      'accept-ranges': 'none',
    })
    .type(type);
  if (method === 'HEAD') return reply.send(noBody());
  const encoded = await withoutSilence(reply, make);
  const file = createReadStream(encoded.path);
  file.once('close', () => void encoded.remove());
  const { size } = await stat(encoded.path);
  return reply.header('content-length', size).send(file);
}

import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';

/** How slowly a request may arrive. */
export interface ArrivalLimits {
  /** A head must be whole after this long, and so must a body that is no upload, in ms. */
  readonly periodMs: number;
  /** Least bytes of an upload in each such period, once it has begun. */
  readonly bytesPerPeriod: number;
}

/** 60 s for a head or a small body, and 1 kB/s for an upload: a slow but honest line is faster. */
export const arrivalLimits: ArrivalLimits = { periodMs: 60_000, bytesPerPeriod: 60_000 };

/** Time for the refusal to be sent before the connection is cut, in ms. */
const lingerMs = 2000;

/**
 * Ends a request whose body trickles in (slow loris): with 400 where somebody waits for the body, else by cutting the
 * connection. A body that waits in our buffers, because the disk is slow, is not the sender's fault.
 *
 * @see docs/decisions/0234-slow-and-probing-clients.md
 */
export function watchBody(
  request: FastifyRequest,
  reply: FastifyReply,
  { periodMs, bytesPerPeriod }: ArrivalLimits,
): void {
  const { raw } = request;
  const { socket } = raw;
  // A request that is injected has no connection, and its body is there.
  if (!(socket instanceof Socket)) return;
  const length = Number(raw.headers['content-length'] ?? 0);
  if (raw.complete || (length === 0 && raw.headers['transfer-encoding'] === undefined)) return;
  const isUpload = /^multipart\//i.test(raw.headers['content-type'] ?? '');
  const seconds = periodMs / 1000;
  let seenBytes = socket.bytesRead;

  const check = () => {
    if (raw.complete || raw.destroyed) return stop();
    const arrived = socket.bytesRead - seenBytes;
    seenBytes = socket.bytesRead;
    if (isUpload && (arrived >= bytesPerPeriod || raw.readableLength > 0)) return;
    stop();
    request.log.warn({ address: request.ip, arrived }, 'a body arrived too slowly');
    setTimeout(() => socket.destroy(), lingerMs).unref();
    // Nobody listens once the request is answered.
    if (reply.raw.headersSent || raw.listenerCount('error') === 0) return void socket.destroy();
    reply.header('connection', 'close');
    const rule = isUpload
      ? `an upload must bring at least ${bytesPerPeriod} bytes in every ${seconds} s (got ${arrived})`
      : `the body of a request must be whole after ${seconds} s`;
    raw.emit('error', badRequest(`${rule}: nothing was kept, send it again`));
  };
  const timer = setInterval(check, periodMs).unref();
  const stop = () => clearInterval(timer);
  raw.once('end', stop);
  raw.once('close', stop);
}

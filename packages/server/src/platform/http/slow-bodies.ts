import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { badRequest } from '../errors.ts';

/** Minimum rates at which a request must arrive. */
export interface ArrivalLimits {
  /** Time in which a head, or a body that is not an upload, must be complete, in ms. */
  readonly periodMs: number;
  /** Minimum bytes of an upload in each such period, after its start. */
  readonly bytesPerPeriod: number;
}

/** 60 s for a head or a small body, and 1 kB/s for an upload: legitimate slow connections are faster. */
export const arrivalLimits: ArrivalLimits = { periodMs: 60_000, bytesPerPeriod: 60_000 };

/** Time to send the error before the connection is closed, in ms. */
const lingerMs = 2000;

/**
 * Ends a request whose body arrives too slowly (slow loris). Replies 400 if a handler is reading the body, else closes
 * the connection. Data that waits in the service's buffers because of a slow disk is not counted against the sender.
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
  // An injected request has no connection, and its body is complete.
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
    // After the reply, or without a listener, the error would not be handled.
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

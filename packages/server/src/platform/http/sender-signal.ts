import type { FastifyReply } from 'fastify';
import { badRequest } from '../errors.ts';

/**
 * Returns a signal that aborts if the client disconnects before the reply is sent. Work for the reply can then be
 * stopped.
 */
export function senderSignal(reply: FastifyReply): AbortSignal {
  const stop = new AbortController();
  const { raw } = reply;
  const onClose = () => {
    if (!raw.writableFinished) stop.abort(badRequest('the sender closed the connection before the reply'));
  };
  if (raw.destroyed || raw.closed) onClose();
  else raw.once('close', onClose);
  return stop.signal;
}

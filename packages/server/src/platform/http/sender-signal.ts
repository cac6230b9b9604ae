import type { FastifyReply } from 'fastify';
import { badRequest } from '../errors.ts';

/** Aborts when whoever sent the request hangs up before the reply: what is done for it can be stopped. */
export function senderSignal(reply: FastifyReply): AbortSignal {
  const stop = new AbortController();
  const { raw } = reply;
  const onClose = () => {
    if (!raw.writableFinished) stop.abort(badRequest('the sender hung up before the reply'));
  };
  if (raw.destroyed || raw.closed) onClose();
  else raw.once('close', onClose);
  return stop.signal;
}

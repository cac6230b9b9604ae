import type { FastifyReply, FastifyRequest } from 'fastify';
import { attachment, type DownloadSubject, downloadName } from './download-name.ts';
import { noBody } from './serve-file.ts';

/** Sends a MIDI file as a download. */
export function sendMidi(
  request: FastifyRequest,
  reply: FastifyReply,
  subject: Omit<DownloadSubject, 'extension'>,
  bytes: Uint8Array,
): FastifyReply {
  const name = downloadName({ ...subject, extension: 'mid' });
  reply
    .headers({ 'content-disposition': attachment(name), 'cache-control': 'private, no-cache' })
    .header('content-length', bytes.length)
    .type('audio/midi');
  return reply.send(request.method === 'HEAD' ? noBody() : Buffer.from(bytes));
}

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { pause } from '@stem-studio/server/platform/clock';
import { logIn } from '@stem-studio/server/testing/deck-windows';
import type { Arena } from './arena.ts';

const connections = 20;
const byteEveryMs = 500;
/** Longest measurement in ms; longer than the service's limit for a body without progress. */
const longestMs = 75_000;

async function trickle(port: number, head: string): Promise<number> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const startedMs = performance.now();
  await once(socket, 'connect');
  socket.write(head);
  const stopping = new AbortController();
  socket.once('close', () => stopping.abort());
  while (!stopping.signal.aborted && performance.now() - startedMs < longestMs) {
    socket.write('a');
    await pause(byteEveryMs, stopping.signal);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  socket.destroy();
  return seconds;
}

/** Sends uploads one byte at a time. */
export async function trickledBody(arena: Arena): Promise<string> {
  const target = await arena.start(await arena.open());
  const { cookie, csrf } = await logIn(target.context, await target.register());
  const { port } = new URL(target.address);
  const boundary = 'slow';
  const head = [
    `POST ${uploadFile.path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Cookie: ${cookie}`,
    `X-CSRF-Token: ${csrf}`,
    `Content-Type: multipart/form-data; boundary=${boundary}`,
    'Content-Length: 1000000',
    '',
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`,
  ].join('\r\n');
  const lasted = await Promise.all(Array.from({ length: connections }, () => trickle(Number(port), head)));
  const longest = Math.max(...lasted);
  const outcome =
    longest * 1000 >= longestMs
      ? `still open after ${longest.toFixed(0)} s`
      : `ended after ${longest.toFixed(0)} s`;
  return `${connections} uploads of 2 bytes a second: ${outcome}`;
}

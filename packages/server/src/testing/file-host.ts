import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp } from './clean-up.ts';
import type { TestLifetime } from './test-context.ts';

/** Replies to one request for a file; returns false to let the host send the file as usual. */
export type FileBehaviour = (request: IncomingMessage, reply: ServerResponse, file: HostedFile) => boolean;

/** A file of the host. */
export interface HostedFile {
  bytes: Uint8Array;
  etag: string;
}

/** A server of files on loopback, with byte ranges, as a mirror of the catalogue's hosts. */
export interface FileHost {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Files by path. */
  readonly files: Map<string, HostedFile>;
  /** Value of the header `Range` of each request; an empty string if there was none. */
  readonly ranges: string[];
  /** Behaviour of all following requests; null for the usual one. */
  behaviour: FileBehaviour | null;
}

/** Starts a server of files, which is stopped after the test. */
export async function startFileHost(t: TestLifetime): Promise<FileHost> {
  const host: { -readonly [Key in keyof FileHost]: FileHost[Key] } = {
    url: '',
    files: new Map(),
    ranges: [],
    behaviour: null,
  };
  const server = createServer((request, reply) => {
    const file = host.files.get(request.url ?? '');
    host.ranges.push(request.headers.range ?? '');
    if (!file) return reply.writeHead(404).end();
    if (host.behaviour?.(request, reply, file)) return;
    sendFile(request, reply, file);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(t, async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  host.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return host;
}

/** Sends a file, or the part that the request asks for if it asks for the same version. */
export function sendFile(request: IncomingMessage, reply: ServerResponse, { bytes, etag }: HostedFile): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  const isSame = request.headers['if-range'] === undefined || request.headers['if-range'] === etag;
  if (from >= bytes.length && from > 0 && isSame) return void reply.writeHead(416).end();
  const begin = isSame ? from : 0;
  const head = { etag, 'accept-ranges': 'bytes', 'content-length': bytes.length - begin };
  if (begin > 0)
    reply.writeHead(206, { ...head, 'content-range': `bytes ${begin}-${bytes.length - 1}/${bytes.length}` });
  else reply.writeHead(200, head);
  reply.end(bytes.subarray(begin));
}

/** Returns a behaviour that sends the first `count` bytes and then waits. */
export function sendsAndHangs(count: number): FileBehaviour {
  return (_request, reply, { bytes, etag }) => {
    reply.writeHead(200, { etag, 'content-length': bytes.length });
    reply.write(bytes.subarray(0, count));
    return true;
  };
}

/** Returns a behaviour that sends the first `count` bytes and then closes the connection. */
export function sendsAndBreaks(count: number): FileBehaviour {
  return (_request, reply, { bytes, etag }) => {
    reply.writeHead(200, { etag, 'content-length': bytes.length });
    reply.write(bytes.subarray(0, count), () => reply.destroy());
    return true;
  };
}

import { createServer } from 'node:http';

/** HTTP server for audio files, as the studio serves them. */
export interface AudioServer {
  /** Returns the address of a file. */
  address(name: string): string;
  /** The requests: a name, and the first byte of the range. */
  readonly requests: { name: string; from: number }[];
  close(): Promise<void>;
}

/** Serves files over HTTP with ranges; answers 404 for an unknown name. */
export async function serveAudio(files: Readonly<Record<string, Uint8Array>>): Promise<AudioServer> {
  const requests: { name: string; from: number }[] = [];
  const server = createServer((request, response) => {
    const name = (request.url ?? '').slice(1);
    const file = files[name];
    if (!file) {
      response.writeHead(404).end();
      return;
    }
    const range = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '');
    const from = Number(range?.[1] ?? 0);
    const to = Math.min(file.length, Number(range?.[2] || file.length - 1) + 1);
    requests.push({ name, from });
    const part = { 'content-range': `bytes ${from}-${to - 1}/${file.length}` };
    const headers = { 'content-length': to - from, ...(range ? part : {}) };
    response.writeHead(range ? 206 : 200, headers).end(file.subarray(from, to));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    address: (name) => `http://127.0.0.1:${port}/${name}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

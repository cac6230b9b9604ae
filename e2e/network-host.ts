import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { writeInsideNetwork } from '@stem-studio/dsp/testing/known-networks';

/** A mirror with the networks of a small catalogue. */
export interface NetworkHost {
  /** Settings that point the service to the mirror and its catalogue. */
  readonly settings: Readonly<Record<string, string>>;
  /** Limits the bytes that are sent of each file, after which the reply waits; null sends all. */
  limit: number | null;
  /** Header `Range` of each request; an empty string if there was none. */
  readonly ranges: string[];
}

/** Starts a mirror with two networks, of which one has terms to accept; it ends with the test. */
export async function startNetworkHost(t: Pick<TestContext, 'after'>): Promise<NetworkHost> {
  // External values make the file large enough to be seen downloading.
  const { graph } = writeInsideNetwork([0.2, 0.1, 0.2, 0.3], { heavyLayers: 4 });
  const bytes = Buffer.from(graph);
  const host = { limit: null as number | null, ranges: [] as string[] };
  const server = createServer((request, reply) => {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    host.ranges.push(request.headers.range ?? '');
    const part = bytes.subarray(from);
    const head = { etag: '"1"', 'content-length': part.length };
    if (from > 0)
      reply.writeHead(206, { ...head, 'content-range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` });
    else reply.writeHead(200, head);
    if (host.limit === null) reply.end(part);
    else reply.write(part.subarray(0, host.limit));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(path.join(tmpdir(), 'stem-studio-networks-'));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });
  const entry = (name: string, title: string, licence: object, serves: readonly string[]) => ({
    name,
    title,
    about: 'A small network for tests: every stem is a fixed part of the song.',
    stems: ['drums', 'bass', 'other', 'vocals'],
    serves,
    licence: { url: 'https://example.org/licence', ...licence },
    redirect_hosts: [],
    files: [
      {
        url: `https://files.example.org/${name}.onnx`,
        bytes: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      },
    ],
    format: 'onnx',
  });
  const catalogue = path.join(folder, 'catalogue.json');
  await writeFile(
    catalogue,
    JSON.stringify([
      entry('open', 'Open network', { name: 'MIT', notice: 'Free for everybody.', must_accept: false }, [
        'alt_4',
        'hybrid_4',
      ]),
      entry(
        'scientific',
        'Scientific network',
        {
          name: 'for scientific purposes only',
          notice: 'The author provides these weights for scientific purposes only.',
          must_accept: true,
        },
        ['hybrid_4'],
      ),
    ]),
  );
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(host, { settings: { MODEL_MIRROR_URL: url, MODEL_CATALOGUE: catalogue } });
}

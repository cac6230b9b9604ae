// A child process that requests one address repeatedly over persistent connections, so that sending the requests costs
// the service nothing: `http-load.ts JSON` prints its results as JSON.
import { connect, type Socket } from 'node:net';
import { z } from 'zod';

const plan = z.strictObject({
  port: z.int(),
  /** Everything before the empty line, without the last line break. */
  head: z.string(),
  connections: z.int().positive(),
  seconds: z.number().positive(),
});

/** Results of one run. */
export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** Number of replies by status. */
  readonly statuses: Record<string, number>;
  readonly medianMs: number;
  readonly p99Ms: number;
}

const { port, head, connections, seconds } = plan.parse(JSON.parse(process.argv[2] ?? ''));
const request = Buffer.from(`${head}\r\n\r\n`);
const times: number[] = [];
const statuses: Record<string, number> = {};
const beganMs = performance.now();
const endMs = beganMs + seconds * 1000;

/** Returns the length of the first complete reply in `bytes`, or null while its head is incomplete. */
function answerLength(bytes: Buffer): number | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const text = bytes.toString('latin1', 0, headEnd);
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without content-length:\n${text}`);
  return headEnd + 4 + Number(length);
}

function ask(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    let wanted: number | null = null;
    let askedMs = performance.now();
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      wanted ??= answerLength(received);
      if (wanted === null || received.length < wanted) return;
      const now = performance.now();
      times.push(now - askedMs);
      const status = received.toString('latin1', 9, 12);
      statuses[status] = (statuses[status] ?? 0) + 1;
      received = Buffer.alloc(0);
      wanted = null;
      if (now >= endMs) {
        socket.removeAllListeners('close').destroy();
        return resolve();
      }
      askedMs = now;
      socket.write(request);
    });
    socket.write(request);
  });
}

await Promise.all(Array.from({ length: connections }, () => ask(connect(port, '127.0.0.1').setNoDelay())));
const tookSeconds = (performance.now() - beganMs) / 1000;
times.sort((a, b) => a - b);
const quantile = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
const result: LoadResult = {
  requests: times.length,
  seconds: tookSeconds,
  statuses,
  medianMs: quantile(0.5),
  p99Ms: quantile(0.99),
};
process.stdout.write(JSON.stringify(result));

// A child process that reads one reply at full speed, several times in sequence: `http-pull.ts JSON` prints the number
// of bytes and seconds as JSON.
import { get } from 'node:http';
import { z } from 'zod';

const plan = z.strictObject({
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  times: z.int().positive(),
});

/** Amount of data received, and the time it took. */
export interface PullResult {
  readonly bytes: number;
  readonly seconds: number;
}

const { url, headers, times } = plan.parse(JSON.parse(process.argv[2] ?? ''));
let bytes = 0;

function pull(): Promise<void> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`${url} answered ${reply.statusCode}`));
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      reply.on('end', resolve);
      reply.on('error', reject);
    }).on('error', reject);
  });
}

const beganMs = performance.now();
for (let i = 0; i < times; i++) await pull();
const result: PullResult = { bytes, seconds: (performance.now() - beganMs) / 1000 };
process.stdout.write(JSON.stringify(result));

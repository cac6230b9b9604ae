import { tmpdir } from 'node:os';
import { z } from 'zod';
import { parseConfig } from '../config.ts';
import { createContext } from '../context.ts';
import { storedJson } from '../platform/db/stored-json.ts';
import { createLog } from '../platform/log.ts';
import { done } from '../platform/queue/verdict.ts';
import { defineWorker } from '../platform/queue/worker.ts';

// A worker process that starts jobs and never finishes them, until a test kills it.
const [, , connectionString = '', database = ''] = process.argv;
const worker = defineWorker({
  type: 'analysis',
  args: storedJson('test job', z.strictObject({})),
  concurrency: () => 1,
  attempts: 2,
  runningStatus: 'processing',
  perform: async (_args, run) => {
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    return done();
  },
});
const connection = connectionString.startsWith('{')
  ? { ...(JSON.parse(connectionString) as object), database }
  : { connectionString };
const log = createLog('silent');
const config = parseConfig(
  { NODE_ENV: 'test', DATA_DIR: `${tmpdir()}/stem-studio-worker-${process.pid}` },
  '/',
);
const { context } = await createContext(config, { connection, workers: [worker], pipeline: {}, log });
await context.queue.start(context);
process.stdout.write('working\n');

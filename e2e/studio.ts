import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { health } from '@stem-studio/contract/endpoints/health';
import { until } from './until.ts';

const main = path.resolve(import.meta.dirname, '..', 'packages', 'server', 'src', 'main.ts');
/** Only what hangs takes so long. */
const startLimitMs = 180_000;
const stopLimitMs = 90_000;

/** The real service, running for a test on a port and a data folder of its own. */
export interface Studio {
  /** Its address without a slash at its end. */
  readonly url: string;
  /** The one-time link that it prints while there is no administrator. Throws when none comes. */
  setupLink(): Promise<string>;
  /** Process id of the service. Throws while it does not run. */
  pid(): number;
  /** Where it keeps everything. */
  readonly dataDir: string;
  /** Everything it printed since the beginning. */
  output(): string;
  /** Asks it to end and waits until it did. Throws when it does not, or not with exit code 0. */
  stop(): Promise<void>;
  /** Ends the process as a crash would: nothing is tidied up. */
  kill9(): Promise<void>;
  /** Calls `close` before the service is stopped for good: a browser would see it vanish. */
  beforeEnd(close: () => Promise<void>): void;
  /** Starts it again on the same port and data, after {@link stop} or {@link kill9}. */
  restart(): Promise<void>;
}

/**
 * A port that is free, and stays so while the service is away: it is below those that the system gives to outgoing
 * connections, of which a page that looks for its service makes many.
 */
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
  throw new Error('of a hundred ports from 20000 to 32000 none is free');
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const reply = await fetch(`${url}${health.path}`, { signal: AbortSignal.timeout(2_000) });
    return reply.ok;
  } catch {
    return false;
  }
}

/**
 * Starts the service as `npm start` does, on loopback, with an empty data folder, and waits until it is healthy. It
 * is stopped and its folder removed when the test that `t` belongs to ends.
 *
 * @param variables settings beside `PORT`, `HOST` and `DATA_DIR`, such as `CATALOG_FOLDER`
 */
export async function startStudio(
  t: Pick<TestContext, 'after'>,
  variables: Readonly<Record<string, string>> = {},
): Promise<Studio> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stem-studio-e2e-'));
  // The database may run as another user, who has to pass through.
  await chmod(folder, 0o755);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let output = '';

  const start = async (): Promise<void> => {
    // The working folder is the test's own, so that a developer's .env does not reach it.
    const started = spawn(process.execPath, [main], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        // Visitors of the tests register by themselves.
        REGISTRATION: 'open',
        HOME: process.env.HOME ?? folder,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: path.join(folder, 'data'),
        NODE_ENV: 'test',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text: string) => (output += text));
    }
    const limit = Date.now() + startLimitMs;
    while (!(await isHealthy(url))) {
      const ended = started.exitCode ?? started.signalCode;
      if (ended !== null) throw new Error(`the service ended with ${ended} instead of starting:\n${output}`);
      if (Date.now() > limit) throw new Error(`the service was not healthy in time:\n${output}`);
      await sleep(50);
    }
  };

  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? 0;
    const ended = new Promise<number | null>((resolve) => running.once('exit', (code) => resolve(code)));
    running.kill(signal);
    const timeout = sleep(stopLimitMs, 'late' as const, { ref: false });
    const code = await Promise.race([ended, timeout]);
    if (code !== 'late') return code;
    running.kill('SIGKILL');
    throw new Error(`the service did not end within ${stopLimitMs} ms of ${signal}:\n${output}`);
  };

  const stop = async (): Promise<void> => {
    const code = await end('SIGTERM');
    if (code !== 0) throw new Error(`the service ended with ${code} when asked to stop:\n${output}`);
  };

  const closers: (() => Promise<void>)[] = [];
  t.after(async () => {
    // What a test holds is let go in the order it was taken; whoever visits has to leave first.
    const ends = await Promise.allSettled(closers.map((close) => close()));
    try {
      await stop();
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    } finally {
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  await start();
  return {
    url,
    async setupLink() {
      // It is printed a moment after the service answers.
      const { link } = await until(
        'the set-up link that the service prints',
        () => ({ link: /https?:\/\/\S+[?&]setup=[\w-]+/.exec(output)?.[0] ?? '', output }),
        (seen) => seen.link !== '',
      );
      return link;
    },
    pid() {
      if (child?.pid === undefined) throw new Error('the service does not run');
      return child.pid;
    },
    dataDir: path.join(folder, 'data'),
    output: () => output,
    stop,
    async kill9() {
      await end('SIGKILL');
    },
    beforeEnd: (close) => void closers.push(close),
    restart: start,
  };
}

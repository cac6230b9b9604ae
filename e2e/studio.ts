import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { health } from '@stem-studio/contract/endpoints/health';
import { databaseUrlOf } from '@stem-studio/server/testing/service-process';
import { createTestDatabase } from '@stem-studio/server/testing/test-postgres';
import { until } from './until.ts';

const main = path.resolve(import.meta.dirname, '..', 'packages', 'server', 'src', 'main.ts');
/** Time limit for starting the service, in ms; only a hanging process reaches it. */
const startLimitMs = 180_000;
const stopLimitMs = 90_000;

/** Options of {@link startStudio}. */
export interface StudioOptions {
  /** The service creates and runs its own PostgreSQL, as `npm start` does without settings. */
  readonly hasOwnPostgres?: boolean;
}

/** The real service, running for a test on its own port, data folder and database. */
export interface Studio {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** Returns the one-time setup link printed while there is no administrator. Throws if none is printed. */
  setupLink(): Promise<string>;
  /** Returns the process id of the service. Throws while it is not running. */
  pid(): number;
  /** Data folder of the service. */
  readonly dataDir: string;
  /** Returns everything the service has printed since its first start. */
  output(): string;
  /** Stops the service and waits for its end. Throws if it does not end or its exit code is not 0. */
  stop(): Promise<void>;
  /** Kills the process as a crash would, without any clean-up. */
  kill9(): Promise<void>;
  /** Registers `close` to run before the service is stopped at the end of the test, so that browsers close first. */
  beforeEnd(close: () => Promise<void>): void;
  /** Starts the service again on the same port and data, after {@link stop} or {@link kill9}. */
  restart(): Promise<void>;
}

/**
 * Returns a free port that stays free while the service is stopped. It lies below the range of ports for outgoing
 * connections, of which a reconnecting page opens many.
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
 * Starts the service as `npm start` does, on loopback with an empty data folder, and waits until it is healthy. It is
 * stopped and its folder removed when the test that `t` belongs to ends. Its database is a new one on the PostgreSQL that
 * all tests share, because creating and starting a server costs more than many of the tests.
 *
 * @param variables settings beside `PORT`, `HOST` and `DATA_DIR`, such as `CATALOG_FOLDER`
 */
export async function startStudio(
  t: Pick<TestContext, 'after'>,
  variables: Readonly<Record<string, string>> = {},
  { hasOwnPostgres = false }: StudioOptions = {},
): Promise<Studio> {
  const folder = await mkdtemp(path.join(tmpdir(), 'stem-studio-e2e-'));
  // The database may run as another user, who must be able to enter the folder.
  await chmod(folder, 0o755);
  const database = hasOwnPostgres ? null : await createTestDatabase();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let output = '';

  const start = async (): Promise<void> => {
    // The test has its own working folder, so that a developer's .env file is not read.
    const started = spawn(process.execPath, [main], {
      cwd: folder,
      env: {
        PATH: process.env.PATH ?? '',
        // Users of the tests register themselves.
        REGISTRATION: 'open',
        HOME: process.env.HOME ?? folder,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: path.join(folder, 'data'),
        NODE_ENV: 'test',
        ...(database && { DATABASE_URL: databaseUrlOf(database.connection) }),
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
    // Browsers must close before the service stops.
    const ends = await Promise.allSettled(closers.map((close) => close()));
    try {
      await stop();
      for (const end of ends) if (end.status === 'rejected') throw end.reason;
    } finally {
      await database?.drop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  });
  await start();
  return {
    url,
    async setupLink() {
      // The link is printed shortly after the service starts to reply.
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

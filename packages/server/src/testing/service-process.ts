import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Connection } from '../platform/db/connection.ts';
import { adoptStorage } from '../platform/files/storage-identity.ts';
import type { TestContext } from './test-context.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

/** A process of the service, on the database and the files of a test. */
export interface ServiceProcess {
  /** Address of the service; empty for a worker. */
  readonly address: string;
  readonly pid: number;
  /** Returns its output and log so far. */
  output(): string;
  /** Stops it, waits, and returns its exit code. */
  stop(): Promise<number | null>;
}

/** Returns a connection as text for `DATABASE_URL`. */
export function databaseUrlOf(connection: Connection): string {
  if (connection.connectionString !== undefined) return connection.connectionString;
  const { host = '', port, user = '', password = '', database = '' } = connection;
  return `postgres://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** Starts a process of the service in one of its roles and waits until it is ready. It starts as with `npm start`. */
export async function startServiceProcess(
  context: TestContext,
  role: 'serve' | 'worker' | '',
  variables: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  // Rows that a test has inserted may name files that it has not stored.
  const { connection, config: settings, log } = context;
  await adoptStorage({ connection, settings, databaseFolder: null, log });
  let output = '';
  const child: ChildProcess = spawn(process.execPath, [main, ...(role === '' ? [] : [role])], {
    cwd: context.folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      DATABASE_URL: databaseUrlOf(context.connection),
      DATA_DIR: context.config.dataDir,
      AUTO_ANALYZE: 'off',
      AUTO_SEPARATE: 'off',
      DISK_MARGIN_MB: '0',
      DISK_RESERVE_MB: '0',
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  context.beforeClose(async () => void (await stop()));
  const ready = new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      output += data.toString();
      const [, address] = /^Stem Studio: (\S+)/m.exec(output) ?? [];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    void exited.then(() => reject(new Error(`the service ended:\n${output}`)));
  });
  const address = await ready;
  return {
    address: role === 'worker' ? '' : address,
    pid: child.pid ?? 0,
    output: () => output,
    stop,
  };
}

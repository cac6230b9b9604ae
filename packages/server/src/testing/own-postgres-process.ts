import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cleanUp } from './clean-up.ts';
import type { TestLifetime } from './test-context.ts';

const program = fileURLToPath(new URL('own-postgres-child.ts', import.meta.url));

/** A process that locks a data directory and runs its database, as a service does. */
export interface OwnPostgresProcess {
  /** Process id of the postmaster. */
  readonly database: number;
  /** Sends a signal to the process and waits until it has ended. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** Starts such a process, killed after the test; its database outlives a kill by `lingerSeconds`. */
export async function startOwnPostgresProcess(
  t: TestLifetime,
  dataDir: string,
  lingerSeconds: number,
): Promise<OwnPostgresProcess> {
  const service = spawn(process.execPath, [program, dataDir, String(lingerSeconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    if (service.exitCode !== null || service.signalCode !== null) return;
    service.kill(signal);
    await once(service, 'exit');
  };
  cleanUp(t, () => end('SIGKILL'));
  const [line] = (await once(createInterface({ input: service.stdout }), 'line')) as [string];
  return { database: (JSON.parse(line) as { pid: number }).pid, end };
}

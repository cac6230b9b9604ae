import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pause } from '../../platform/clock.ts';
import { postmasterPid } from '../../platform/postgres/postmaster.ts';
import { isRunning, processesBelow } from './processes-below.ts';

const main = fileURLToPath(new URL('../../main.ts', import.meta.url));
const startLimitMs = 180_000;

/** Processes and clients that a round can kill. */
export const victims = ['service', 'worker', 'engine', 'postmaster', 'backend', 'upload client'] as const;
/** Process or client that a round can kill. */
export type Victim = (typeof victims)[number];

/** A service that also runs jobs, and a worker, on a data directory with its own PostgreSQL. */
export interface StudioProcesses {
  /** Returns the address of the service, also after it was killed. */
  address(): string;
  /** Starts the processes that are not running and waits until they are ready. */
  start(): Promise<void>;
  /**
   * Kills a victim as a crash would. Returns the id of its process, or null if there is none. A client is not a process
   * of the studio.
   */
  kill(victim: Exclude<Victim, 'upload client'>): Promise<number | null>;
  /** Returns the ids of the running separation engines. */
  engines(): number[];
  /** Returns the output of all processes. */
  output(): string;
  /** Ends all processes, including the database. */
  stop(): Promise<void>;
}

interface Started {
  readonly child: ChildProcess;
}

/** Prepares the processes of a studio in an empty folder; none runs before `start`. */
export function openStudioProcesses(
  folder: string,
  variables: Readonly<Record<string, string>>,
): StudioProcesses {
  const dataDir = join(folder, 'data');
  const running = new Map<'service' | 'worker', Started>();
  let lastAddress = '';
  let output = '';

  // No process outlives interrupted rounds.
  const endAtExit = () => {
    for (const { child } of running.values()) child.kill('SIGKILL');
    const path = join(dataDir, 'postgres', 'postmaster.pid');
    const pid = existsSync(path) ? Number.parseInt(readFileSync(path, 'utf8'), 10) : 0;
    if (pid > 0 && isRunning(pid)) process.kill(pid, 'SIGQUIT');
  };
  process.once('exit', endAtExit);
  const endBySignal = () => process.exit(1);
  process.once('SIGTERM', endBySignal);
  process.once('SIGINT', endBySignal);

  const launch = async (role: 'service' | 'worker'): Promise<void> => {
    const child = spawn(process.execPath, [main, ...(role === 'worker' ? ['worker'] : [])], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        // Every process, thread and engine loads the same modules.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(folder, 'compile-cache'),
        NODE_ENV: 'test',
        LOG_LEVEL: 'warn',
        PORT: '0',
        DATA_DIR: dataDir,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let own = '';
    const ended = once(child, 'exit');
    const address = await new Promise<string>((resolve, reject) => {
      const read = (data: Buffer) => {
        own += data.toString();
        output = (output + data.toString()).slice(-200_000);
        const [, address] = /^Stem Studio: (\S+)/m.exec(own) ?? [];
        if (address !== undefined) resolve(address);
      };
      child.stdout?.on('data', read);
      child.stderr?.on('data', read);
      void ended.then(() => reject(new Error(`the ${role} ended instead of starting:\n${own}`)));
      setTimeout(() => reject(new Error(`the ${role} did not start:\n${own}`)), startLimitMs).unref();
    });
    if (role === 'service') lastAddress = address;
    running.set(role, { child });
    child.once('exit', () => {
      if (running.get(role)?.child === child) running.delete(role);
    });
  };

  const pidsOf = () => [...running.values()].flatMap(({ child }) => child.pid ?? []);
  const engines = () =>
    processesBelow(pidsOf())
      .filter(({ command, state }) => state !== 'Z' && command.includes('separator/src/main.ts'))
      .map(({ pid }) => pid);
  const postmaster = () => postmasterPid(join(dataDir, 'postgres'));

  const find = async (victim: Exclude<Victim, 'upload client'>): Promise<number | null> => {
    if (victim === 'service' || victim === 'worker') return running.get(victim)?.child.pid ?? null;
    if (victim === 'engine') return engines()[0] ?? null;
    const pid = await postmaster();
    if (victim === 'postmaster' || pid === null) return pid;
    const backends = processesBelow([pid]).filter(({ command }) => / stem_studio \[local\]/.test(command));
    return backends[0]?.pid ?? null;
  };

  return {
    address: () => lastAddress,
    engines,
    output: () => output,
    async start() {
      if (!running.has('service')) await launch('service');
      if (!running.has('worker')) await launch('worker');
    },
    async kill(victim) {
      const pid = await find(victim);
      if (pid === null || !isRunning(pid)) return null;
      const child = victim === 'service' || victim === 'worker' ? running.get(victim)?.child : undefined;
      process.kill(pid, 'SIGKILL');
      if (child && child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      if (victim === 'service' || victim === 'worker') running.delete(victim);
      return pid;
    },
    async stop() {
      process.off('exit', endAtExit);
      process.off('SIGTERM', endBySignal);
      process.off('SIGINT', endBySignal);
      for (const role of ['worker', 'service'] as const) {
        const started = running.get(role);
        if (!started) continue;
        started.child.kill('SIGTERM');
        await once(started.child, 'exit');
      }
      if (!existsSync(join(dataDir, 'postgres'))) return;
      // A service that stops normally stops its database too: a postmaster remains only if the service could not stop
      // it.
      const pid = await postmaster();
      if (pid === null || !isRunning(pid)) return;
      process.kill(pid, 'SIGQUIT');
      while (isRunning(pid)) await pause(20);
    },
  };
}

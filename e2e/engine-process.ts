import { readdirSync, readFileSync } from 'node:fs';
import type { Studio } from './studio.ts';
import { until } from './until.ts';

/** The local engine of a studio, a descendant of the service process. */
export interface EngineProcess {
  readonly pid: number;
  /** Returns whether the process is still running. */
  isAlive(): boolean;
  /** Stops the process with a signal, so that its work does not finish before another event happens. */
  freeze(): void;
  /** Continues a stopped process; does nothing if it has ended. */
  thaw(): void;
  /** Kills the process as a crash would. */
  kill9(): void;
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function listProcesses(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return [{ pid: Number(name), parent: Number(afterName[1]), command }];
    } catch {
      return []; // The process ended during the search.
    }
  });
}

/** Returns the process id of the engine among the descendants of `parent`, or null if there is none. */
function findEngine(parent: number): number | null {
  const all = listProcesses();
  const below = (pid: number): Process[] =>
    all.filter((one) => one.parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return below(parent).find(({ command }) => command.includes('separator/src/main.ts'))?.pid ?? null;
}

function isAlive(pid: number): boolean {
  try {
    // A zombie has ended, but its parent has not yet waited for it.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until the engine of a studio is running and returns it. */
export async function engineOf(studio: Studio): Promise<EngineProcess> {
  const found = await until(
    'the engine is a child of the service',
    () => findEngine(studio.pid()),
    (pid) => pid !== null,
  );
  const pid = Number(found);
  return {
    pid,
    isAlive: () => isAlive(pid),
    freeze: () => void process.kill(pid, 'SIGSTOP'),
    thaw() {
      if (isAlive(pid)) process.kill(pid, 'SIGCONT');
    },
    kill9: () => void process.kill(pid, 'SIGKILL'),
  };
}

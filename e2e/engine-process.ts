import { readdirSync, readFileSync } from 'node:fs';
import type { Studio } from './studio.ts';
import { until } from './until.ts';

/** The local engine of a studio, a process below its own. */
export interface EngineProcess {
  readonly pid: number;
  /** Whether it runs still. */
  isAlive(): boolean;
  /** Lets it stand still, so that what it does is not over before something else has happened. */
  freeze(): void;
  /** Lets a frozen one go on; one that has ended is left alone. */
  thaw(): void;
  /** Ends it as a crash would. */
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
      return []; // It ended while we looked.
    }
  });
}

/** The process id of the engine below `parent`, children of children included; null where there is none. */
function findEngine(parent: number): number | null {
  const all = listProcesses();
  const below = (pid: number): Process[] =>
    all.filter((one) => one.parent === pid).flatMap((one) => [one, ...below(one.pid)]);
  return below(parent).find(({ command }) => command.includes('separator/src/main.ts'))?.pid ?? null;
}

function isAlive(pid: number): boolean {
  try {
    // A dead process that nobody has waited for yet is a zombie: it runs no more.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Waits until the engine of a studio runs. */
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

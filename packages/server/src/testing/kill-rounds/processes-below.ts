import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine. */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  /** State; `Z` for a process that has ended but was not reaped. */
  readonly state: string;
  readonly command: string;
}

function readProcess(pid: number): FoundProcess | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', parent = ''] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
    return { pid, parent: Number(parent), state, command };
  } catch {
    return null; // It ended in the meantime.
  }
}

function listProcesses(): FoundProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : null;
    return found ? [found] : [];
  });
}

/** Returns the descendants of these processes. Linux only. */
export function processesBelow(pids: readonly number[]): FoundProcess[] {
  const byParent = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const below = (pid: number): FoundProcess[] =>
    (byParent.get(pid) ?? []).flatMap((one) => [one, ...below(one.pid)]);
  return pids.flatMap(below);
}

/** Checks whether a process runs; one that has ended but was not reaped does not. */
export function isRunning(pid: number): boolean {
  const found = readProcess(pid);
  return found !== null && found.state !== 'Z';
}

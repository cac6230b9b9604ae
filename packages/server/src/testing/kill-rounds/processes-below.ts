import { readdirSync, readFileSync } from 'node:fs';

/** A process of this machine. */
export interface FoundProcess {
  readonly pid: number;
  readonly parent: number;
  /** `Z` for one that has ended and was not waited for. */
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
    return null; // It ended meanwhile.
  }
}

function listProcesses(): FoundProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const found = /^\d+$/.test(name) ? readProcess(Number(name)) : null;
    return found ? [found] : [];
  });
}

/** Processes below these, children of children included. Of Linux only. */
export function processesBelow(pids: readonly number[]): FoundProcess[] {
  const byParent = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const below = (pid: number): FoundProcess[] =>
    (byParent.get(pid) ?? []).flatMap((one) => [one, ...below(one.pid)]);
  return pids.flatMap(below);
}

/** Whether a process runs; one that has ended and was not waited for does not. */
export function isRunning(pid: number): boolean {
  const found = readProcess(pid);
  return found !== null && found.state !== 'Z';
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Keeps a process from going on: what is done to it now finds it in the middle of its work, however quick it is and however
 * late the test hears of it. Killing ends it all the same.
 */
export function holdStill(pid: number): void {
  process.kill(pid, 'SIGSTOP');
}

/** Numbers of the living processes that this one has started and whose command line contains `words`. */
export async function childProcesses(words: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state = '', ...command] = line.trim().split(/\s+/);
    const isOurs = Number(parent) === process.pid && !state.startsWith('Z');
    return isOurs && command.join(' ').includes(words) ? [Number(pid)] : [];
  });
}

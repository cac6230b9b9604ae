import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Suspends a process, so that later signals reach it in the middle of its work. This holds however fast it is and
 * however late the test reacts. It can still be killed.
 */
export function holdStill(pid: number): void {
  process.kill(pid, 'SIGSTOP');
}

/** Returns the ids of this process's living children whose command line contains `text`. */
export async function childProcesses(text: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,stat=,args=']);
  return stdout.split('\n').flatMap((line) => {
    const [pid, parent, state = '', ...command] = line.trim().split(/\s+/);
    const isOurs = Number(parent) === process.pid && !state.startsWith('Z');
    return isOurs && command.join(' ').includes(text) ? [Number(pid)] : [];
  });
}

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { childEnvironment } from '../config.ts';

/** What {@link runProgram} needs. */
export interface ProgramOptions {
  /** A path, or a name that is looked for in PATH. No shell reads it. */
  readonly command: string;
  readonly args: readonly string[];
  /** Where it runs: a private folder. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** A program that runs longer is ended. */
  readonly timeLimitMs: number;
  /** Each line of its standard output. */
  readonly onLine: (line: string) => void;
}

/** How a program ended. */
export type ProgramOutcome =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stderrTail: string }
  /** There is no such program, or it may not be run. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'overdue' };

const stderrTailBytes = 8192;
const longestLineBytes = 4_000_000;

/**
 * Runs somebody else's program to its end, without a shell and without a secret of ours in its environment. Rejects
 * with the signal's reason when that aborts, and when it writes a line of more than 4 MB. Its whole process group has
 * been killed when this is over.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramOutcome> {
  options.signal.throwIfAborted();
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: childEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let stderrTail = '';
  let isOverdue = false;
  let failure: unknown;
  const end = () => killGroup(child.pid);
  const timer = setTimeout(() => {
    isOverdue = true;
    end();
  }, options.timeLimitMs);
  options.signal.addEventListener('abort', end, { once: true });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailBytes);
  });
  let pendingBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    pendingBytes = newline < 0 ? pendingBytes + chunk.length : chunk.length - newline - 1;
    if (pendingBytes <= longestLineBytes) return;
    failure ??= new Error(`a program wrote a line of more than ${longestLineBytes} bytes`);
    end();
  });
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    if (failure === undefined) options.onLine(line);
  });
  const linesRead = new Promise<void>((resolve) => lines.once('close', () => resolve()));
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      child.once('error', (error: NodeJS.ErrnoException) => {
        if (['ENOENT', 'EACCES', 'ENOTDIR', 'EPERM'].includes(error.code ?? '')) resolve(null);
        else reject(error);
      });
      child.once('close', (code) => resolve(code ?? -1));
    });
    options.signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (exitCode === null) return { kind: 'missing' };
    await linesRead;
    return isOverdue ? { kind: 'overdue' } : { kind: 'exited', exitCode, stderrTail };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
    end();
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

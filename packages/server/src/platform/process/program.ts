import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from '../config.ts';

/** Options of {@link runProgram}. */
export interface ProgramOptions {
  /** Path, or name that is searched in PATH. Not interpreted by a shell. */
  readonly command: string;
  readonly args: readonly string[];
  /** Working directory, a private folder. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Time after which the program is killed, in ms. */
  readonly timeLimitMs: number;
  /** Called with each line of its standard output. */
  readonly onLine: (line: string) => void;
}

/** Outcome of a program run. */
export type ProgramOutcome =
  | { readonly kind: 'exited'; readonly exitCode: number; readonly stderrTail: string }
  /** The program is missing or not executable. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'overdue' };

const stderrTailBytes = 8192;
const longestLineBytes = 4_000_000;
const keeper = fileURLToPath(new URL('./program-keeper.ts', import.meta.url));
/** System error codes of a program that is missing, invalid or not executable. */
const missingCodes: readonly string[] = ['ENOENT', 'EACCES', 'ENOTDIR', 'EPERM', 'ENOEXEC'];

/**
 * Runs an external program to its end, without a shell and without the service's secrets in its environment. Rejects
 * with the signal's reason when that aborts, and if the program writes a line of more than 4 MB. Its whole process
 * group has been killed afterwards; `program-keeper.ts` ensures this even if this process dies.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramOutcome> {
  options.signal.throwIfAborted();
  const child = spawn(process.execPath, [keeper, options.command, ...options.args], {
    cwd: options.cwd,
    env: childEnvironment(),
    // Standard input stays open as long as this process lives; the last pipe carries the wrapper's report.
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const [stdin, stdout, stderr, reportPipe] = child.stdio;
  stdin.on('error', () => undefined);
  let stderrTail = '';
  let isOverdue = false;
  let failure: unknown;
  // The wrapper kills everything when its standard input closes.
  const end = () => stdin.destroy();
  const timer = setTimeout(() => {
    isOverdue = true;
    end();
  }, options.timeLimitMs);
  options.signal.addEventListener('abort', end, { once: true });
  let reportedPid = '';
  (reportPipe as Readable).setEncoding('utf8').on('data', (piece: string) => {
    reportedPid += piece;
  });
  // A wrapper that was killed leaves the program running, with the pipes open.
  child.once('exit', (code) => code === null && killGroup(Number(reportedPid)));
  stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderrTail = (stderrTail + piece).slice(-stderrTailBytes);
  });
  const linesRead = readLines(stdout, {
    onLine: (line) => failure === undefined && options.onLine(line),
    onTooLong() {
      failure ??= new Error(`a program wrote a line of more than ${longestLineBytes} bytes`);
      end();
    },
  });
  try {
    const exitCode = await exitOf(child);
    await linesRead;
    options.signal.throwIfAborted();
    if (failure !== undefined) throw failure;
    if (isOverdue) return { kind: 'overdue' };
    if (/^\d+$/.test(reportedPid)) return { kind: 'exited', exitCode, stderrTail };
    if (missingCodes.includes(reportedPid)) return { kind: 'missing' };
    throw Object.assign(new Error(`${options.command} could not be run (${reportedPid})`), {
      code: reportedPid,
    });
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
    end();
  }
}

/** Resolves with the exit code when the child has exited and its output is read; -1 if it was killed. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
}

interface LineReader {
  onLine(line: string): void;
  /** Called when a line exceeds the maximum length. */
  onTooLong(): void;
}

/** Reads all lines of a stream. Reports an overlong line before it fills the memory. */
function readLines(stream: Readable, reader: LineReader): Promise<void> {
  let pendingBytes = 0;
  stream.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    pendingBytes = newline < 0 ? pendingBytes + chunk.length : chunk.length - newline - 1;
    if (pendingBytes > longestLineBytes) reader.onTooLong();
  });
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => reader.onLine(line));
  return new Promise((resolve) => lines.once('close', () => resolve()));
}

function killGroup(pid: number): void {
  try {
    if (pid > 0) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

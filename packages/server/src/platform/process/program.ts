import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
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
const keeper = fileURLToPath(new URL('./program-keeper.ts', import.meta.url));
/** What the system says about a program that is not there, is none, or may not be run. */
const missingCodes: readonly string[] = ['ENOENT', 'EACCES', 'ENOTDIR', 'EPERM', 'ENOEXEC'];

/**
 * Runs somebody else's program to its end, without a shell and without a secret of ours in its environment. Rejects
 * with the signal's reason when that aborts, and when it writes a line of more than 4 MB. Its whole process group has
 * been killed when this is over; `program-keeper.ts` does that, also should this process die before.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramOutcome> {
  options.signal.throwIfAborted();
  const child = spawn(process.execPath, [keeper, options.command, ...options.args], {
    cwd: options.cwd,
    env: childEnvironment(),
    // The first stays open as long as we live; the last is the keeper's own word.
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const [stdin, stdout, stderr, told] = child.stdio;
  stdin.on('error', () => undefined);
  let stderrTail = '';
  let isOverdue = false;
  let failure: unknown;
  // The keeper takes it as the word to end everything.
  const end = () => stdin.destroy();
  const timer = setTimeout(() => {
    isOverdue = true;
    end();
  }, options.timeLimitMs);
  options.signal.addEventListener('abort', end, { once: true });
  let saying = '';
  (told as Readable).setEncoding('utf8').on('data', (piece: string) => {
    saying += piece;
  });
  // A keeper that was killed leaves the program behind, with our pipes open.
  child.once('exit', (code) => code === null && killGroup(Number(saying)));
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
    if (/^\d+$/.test(saying)) return { kind: 'exited', exitCode, stderrTail };
    if (missingCodes.includes(saying)) return { kind: 'missing' };
    throw Object.assign(new Error(`${options.command} could not be run (${saying})`), { code: saying });
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', end);
    end();
  }
}

/** The exit code when the child has gone and all that it wrote is read; -1 of one that was killed. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? -1));
  });
}

interface LineReader {
  onLine(line: string): void;
  /** A line grows beyond what is taken. */
  onTooLong(): void;
}

/** Reads line by line to the end; a line that never ends is told before it fills the memory. */
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
    // It is gone already.
  }
}

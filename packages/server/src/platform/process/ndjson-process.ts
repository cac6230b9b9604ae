import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { childEnvironment } from '../config.ts';
import { messageOf } from '../errors.ts';

/** What `runNdjson` needs. */
export interface NdjsonOptions<M> {
  /** Program to run, absolute or found in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Written to the child as one line of JSON; its standard input stays open, and its end tells the child to die. */
  readonly input: unknown;
  /** Schema of each line that the child writes. A line that does not fit is an error. */
  readonly message: z.ZodType<M>;
  readonly signal: AbortSignal;
  /** A child that writes nothing for so long is ended, in milliseconds. */
  readonly stallMs: number;
  readonly onMessage: (message: M) => void;
  /** Environment beside the few harmless variables that are always handed down; secrets of ours never are. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** How a child ended. */
export interface NdjsonOutcome {
  readonly exitCode: number;
  /** The last 4 kB of its standard error: for the log, never for a user. */
  readonly stderrTail: string;
}

/** A child that broke the rules of its conversation: stalled, wrote what is no message, could not be started. */
export class ChildProcessError extends Error {
  readonly stderrTail: string;
  constructor(message: string, stderrTail: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ChildProcessError';
    this.stderrTail = stderrTail;
  }
}

const longestLineBytes = 1_000_000;
const stderrTailBytes = 4096;

/**
 * Runs a child that reads one JSON line and writes one JSON message a line. Resolves when it has exited and its output
 * is read, whatever its exit code. Rejects with {@link ChildProcessError} when it stalls, writes a line that is no
 * message, or cannot be started, and with the signal's reason when that aborts. In all these cases its whole process
 * group has been killed; should this process die instead, the end of its standard input tells the child to.
 */
export async function runNdjson<M>(options: NdjsonOptions<M>): Promise<NdjsonOutcome> {
  options.signal.throwIfAborted();
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: childEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that grandchildren can be ended with it.
    detached: process.platform !== 'win32',
  });
  let stderrTail = '';
  let failure: unknown;
  const end = (reason: unknown) => {
    failure ??= reason;
    killGroup(child.pid);
  };
  const stalled = () =>
    end(
      new ChildProcessError(
        `the process was silent for ${options.stallMs / 1000} s and was ended`,
        stderrTail,
      ),
    );
  const stallTimer = setTimeout(stalled, options.stallMs);
  const onAbort = () => end(options.signal.reason);
  options.signal.addEventListener('abort', onAbort, { once: true });

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailBytes);
  });
  // A child that dies before it has read its input is told by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${JSON.stringify(options.input)}\n`);

  let pendingBytes = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const newline = chunk.lastIndexOf(10);
    pendingBytes = newline < 0 ? pendingBytes + chunk.length : chunk.length - newline - 1;
    if (pendingBytes > longestLineBytes)
      end(
        new ChildProcessError(`the process wrote a line of more than ${longestLineBytes} bytes`, stderrTail),
      );
  });
  const lines = createInterface({ input: child.stdout, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    if (failure !== undefined || line.trim() === '') return;
    stallTimer.refresh();
    let message: M;
    try {
      message = options.message.parse(JSON.parse(line));
    } catch (error) {
      const sentence = `the process wrote a line that is no message of the protocol: ${line.slice(0, 120)}`;
      return end(new ChildProcessError(sentence, stderrTail, { cause: error }));
    }
    try {
      options.onMessage(message);
    } catch (error) {
      end(error);
    }
  });
  const linesRead = new Promise<void>((resolve) => lines.once('close', () => resolve()));
  try {
    const exitCode = await new Promise<number>((resolve, reject) => {
      child.once('error', (error) =>
        reject(new ChildProcessError(`${options.command} could not be run: ${messageOf(error)}`, stderrTail)),
      );
      child.once('close', (code) => resolve(code ?? -1));
    });
    await linesRead;
    if (failure !== undefined) throw failure;
    return { exitCode, stderrTail };
  } finally {
    clearTimeout(stallTimer);
    options.signal.removeEventListener('abort', onAbort);
    // Grandchildren that outlived their parent.
    killGroup(child.pid);
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

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { childEnvironment } from '../config.ts';
import { messageOf } from '../errors.ts';

/** Child process and its protocol. */
export interface NdjsonChild<M> {
  /** Program to run, as an absolute path or a name found in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Schema of the lines that the child writes. A line that does not match is an error. */
  readonly message: z.ZodType<M>;
  /**
   * Environment in addition to the few harmless variables that are always passed. The service's secrets are never
   * passed.
   */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Request to a child process. */
export interface NdjsonQuestion<M> {
  /** Input, written to the child as one line of JSON. Standard input stays open; the child must exit when it closes. */
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** Time without output after which the child is killed, in ms. */
  readonly stallMs: number;
  readonly onMessage: (message: M) => void;
  /**
   * Returns whether a message is the last of the reply, so that the child can take another request. Without it only the
   * exit of the child ends the reply.
   */
  readonly isLast?: (message: M) => boolean;
}

/** Options of `runNdjson`. */
export type NdjsonOptions<M> = NdjsonChild<M> & Omit<NdjsonQuestion<M>, 'isLast'>;

/** Exit of a child process. */
export interface NdjsonOutcome {
  readonly exitCode: number;
  /** Last 4 kB of its standard error: for the log, never for a user. */
  readonly stderrTail: string;
}

/** Child process that handles requests one after another. */
export interface NdjsonProcess<M> {
  /**
   * Sends a request. Resolves with null after the last message of the reply if the child is still running, else with
   * its exit. Rejects with {@link ChildProcessError} when the child stalls, writes an invalid line or cannot be
   * started, and with the signal's reason when that aborts; the child has then been killed. One request at a time.
   */
  ask(question: NdjsonQuestion<M>): Promise<NdjsonOutcome | null>;
  isRunning(): boolean;
  /** Kills the child and its process group. A second call has no effect. */
  end(): void;
  /** Resolves after the child has exited. */
  readonly ended: Promise<void>;
}

/** Thrown if a child process violates its protocol: it stalled, wrote an invalid line or could not be started. */
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
 * Starts a child that reads JSON lines and writes one JSON message per line. If this process dies, the end of its
 * standard input makes the child exit.
 */
export function startNdjson<M>(options: NdjsonChild<M>): NdjsonProcess<M> {
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: childEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A separate process group, so that grandchildren are killed with it.
    detached: process.platform !== 'win32',
  });
  let stderrTail = '';
  let failure: unknown;
  let deliver: ((message: M) => void) | null = null;
  let isRunning = true;
  const end = (reason: unknown) => {
    failure ??= reason;
    // The process id of an exited child may have been reused.
    if (isRunning) killGroup(child.pid);
  };

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailBytes);
  });
  // A child that exits before it has read its input is reported by its exit code.
  child.stdin.on('error', () => undefined);

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
    let message: M;
    try {
      message = options.message.parse(JSON.parse(line));
    } catch (error) {
      const sentence = `the process wrote a line that is no message of the protocol: ${line.slice(0, 120)}`;
      return end(new ChildProcessError(sentence, stderrTail, { cause: error }));
    }
    try {
      deliver?.(message);
    } catch (error) {
      end(error);
    }
  });
  const linesRead = new Promise<void>((resolve) => lines.once('close', () => resolve()));
  const closed = new Promise<NdjsonOutcome>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new ChildProcessError(`${options.command} could not be run: ${messageOf(error)}`, stderrTail)),
    );
    child.once('close', (code) => {
      void linesRead.then(() => resolve({ exitCode: code ?? -1, stderrTail }));
    });
  }).finally(() => {
    isRunning = false;
    // Kills grandchildren that outlived their parent.
    killGroup(child.pid);
  });
  const ended = closed.then(
    () => undefined,
    () => undefined,
  );

  return {
    ended,
    isRunning: () => isRunning && failure === undefined,
    end: () => end(new ChildProcessError('the process was ended', stderrTail)),
    async ask({ input, signal, stallMs, onMessage, isLast }) {
      const answered = Promise.withResolvers<null>();
      const stalled = () =>
        end(
          new ChildProcessError(`the process was silent for ${stallMs / 1000} s and was ended`, stderrTail),
        );
      const stallTimer = setTimeout(stalled, stallMs);
      const onAbort = () => end(signal.reason);
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      deliver = (message) => {
        stallTimer.refresh();
        onMessage(message);
        if (isLast?.(message)) answered.resolve(null);
      };
      child.stdin.write(`${JSON.stringify(input)}\n`);
      try {
        const outcome = await Promise.race([closed, answered.promise]);
        if (failure !== undefined) {
          await ended;
          throw failure;
        }
        return outcome;
      } finally {
        deliver = null;
        clearTimeout(stallTimer);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/**
 * Runs a child for one request. Resolves when it has exited and its output is read, whatever its exit code. Rejects
 * like {@link NdjsonProcess.ask}.
 */
export async function runNdjson<M>(options: NdjsonOptions<M>): Promise<NdjsonOutcome> {
  const { input, signal, stallMs, onMessage, ...child } = options;
  signal.throwIfAborted();
  const outcome = await startNdjson(child).ask({ input, signal, stallMs, onMessage });
  if (outcome === null) throw new Error('an answer without a last message ends with the process');
  return outcome;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // The process has ended already.
  }
}

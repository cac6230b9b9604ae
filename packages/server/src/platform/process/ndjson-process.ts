import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { childEnvironment } from '../config.ts';
import { messageOf } from '../errors.ts';

/** Which child, and how it speaks. */
export interface NdjsonChild<M> {
  /** Program to run, absolute or found in PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Schema of each line that the child writes. A line that does not fit is an error. */
  readonly message: z.ZodType<M>;
  /** Environment beside the few harmless variables that are always handed down; secrets of ours never are. */
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** What a child is asked. */
export interface NdjsonQuestion<M> {
  /** Written to the child as one line of JSON; its standard input stays open, and its end tells the child to die. */
  readonly input: unknown;
  readonly signal: AbortSignal;
  /** A child that writes nothing for so long is ended, in milliseconds. */
  readonly stallMs: number;
  readonly onMessage: (message: M) => void;
  /** Whether a message is the last of the answer, so that the child can be asked again; only its end is, unless given. */
  readonly isLast?: (message: M) => boolean;
}

/** What `runNdjson` needs. */
export type NdjsonOptions<M> = NdjsonChild<M> & Omit<NdjsonQuestion<M>, 'isLast'>;

/** How a child ended. */
export interface NdjsonOutcome {
  readonly exitCode: number;
  /** The last 4 kB of its standard error: for the log, never for a user. */
  readonly stderrTail: string;
}

/** A child that can be asked one thing after another. */
export interface NdjsonProcess<M> {
  /**
   * Asks, and resolves with null when the last message of the answer has come and the child lives on, or with its end.
   * Rejects with {@link ChildProcessError} when the child stalls, writes a line that is no message, or cannot be
   * started, and with the signal's reason when that aborts; it has been killed then. One question at a time.
   */
  ask(question: NdjsonQuestion<M>): Promise<NdjsonOutcome | null>;
  isRunning(): boolean;
  /** Kills it and whatever it has started. Once is enough, and more does no harm. */
  end(): void;
  /** Resolves when it is gone. */
  readonly ended: Promise<void>;
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
 * Starts a child that reads JSON lines and writes one JSON message a line. Should this process die, the end of its
 * standard input tells it to.
 */
export function startNdjson<M>(options: NdjsonChild<M>): NdjsonProcess<M> {
  const child = spawn(options.command, [...options.args], {
    cwd: options.cwd,
    env: childEnvironment(options.env),
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own, so that grandchildren can be ended with it.
    detached: process.platform !== 'win32',
  });
  let stderrTail = '';
  let failure: unknown;
  let hear: ((message: M) => void) | null = null;
  let isRunning = true;
  const end = (reason: unknown) => {
    failure ??= reason;
    // What is gone may have given its number to somebody else.
    if (isRunning) killGroup(child.pid);
  };

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderrTail = (stderrTail + text).slice(-stderrTailBytes);
  });
  // A child that dies before it has read its input is told by its exit code.
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
      hear?.(message);
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
    // Grandchildren that outlived their parent.
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
      hear = (message) => {
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
        hear = null;
        clearTimeout(stallTimer);
        signal.removeEventListener('abort', onAbort);
      }
    },
  };
}

/**
 * Runs a child that is asked once. Resolves when it has exited and its output is read, whatever its exit code. Rejects
 * as {@link NdjsonProcess.ask} does.
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
    // It is gone already.
  }
}

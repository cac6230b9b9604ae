import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { childEnvironment } from '../config.ts';
import { memoryLimitMark, ProcessLimitError, type ProcessLimits } from './process-limits.ts';
import { reportedError, type ThreadMessage } from './thread.ts';

/** Options of {@link runInProcess}. */
export interface ProcessOptions {
  /** Module that runs in the process. It must call `serveProcess` of `serve-process.ts`. */
  readonly module: URL;
  /** Input, passed by structured clone. */
  readonly input: unknown;
  readonly limits: ProcessLimits;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: unknown) => void;
}

/** Start parameters of the process, passed as one JSON argument. */
export interface ProcessStart {
  readonly module: string;
  readonly memoryBytes: number;
  readonly outputBytes: number;
  readonly parentPid: number;
}

/** Message from the process. `data` is the result, serialised by `node:v8`. */
export type ProcessMessage =
  | Extract<ThreadMessage, { readonly kind: 'progress' }>
  | ProcessAnswer
  | { readonly kind: 'too_large' };

/** Final message about one input, after which the process accepts another. */
type ProcessAnswer =
  | { readonly kind: 'result'; readonly data: Uint8Array; readonly rssBytes: number }
  | (Extract<ThreadMessage, { readonly kind: 'error' }> & { readonly rssBytes: number });

const program = fileURLToPath(new URL('./limited-process-main.ts', import.meta.url));
const stderrTailBytes = 4096;
/** Time after which an idle process ends, in ms. */
const idleMs = 30_000;
/** Maximum number of idle processes of one kind. */
const maxIdleEach = 4;

interface Idle {
  readonly running: RunningProcess;
  readonly timer: NodeJS.Timeout;
}

const idleByKind = new Map<string, Idle[]>();

/**
 * Runs a module in a child process with limits on memory, time and output. A file that makes its parser grow or hang
 * then harms only that process. A finished process is kept for a while for the next input of the same module. Rejects
 * with the error that the module threw, with {@link ProcessLimitError} if a limit was exceeded or the process ended
 * unexpectedly, and with the signal's reason when that aborts. The process and its group have then been killed, unless
 * the module threw.
 */
export async function runInProcess<Result>(options: ProcessOptions): Promise<Result> {
  options.signal.throwIfAborted();
  const kind = `${options.limits.memoryMb} ${options.limits.outputBytes} ${options.module.href}`;
  const running = takeIdle(kind) ?? new RunningProcess(options);
  const answer = await running.run(options);
  if (running.isAlive && answer.rssBytes < (options.limits.memoryMb * 2 ** 20) / 2) keepIdle(kind, running);
  else running.end();
  if (answer.kind === 'error') throw reportedError(answer);
  return deserialize(answer.data) as Result;
}

function takeIdle(kind: string): RunningProcess | null {
  for (let idle = idleByKind.get(kind)?.pop(); idle; idle = idleByKind.get(kind)?.pop()) {
    clearTimeout(idle.timer);
    if (idle.running.isAlive) return idle.running;
  }
  return null;
}

function keepIdle(kind: string, running: RunningProcess): void {
  const list = idleByKind.get(kind) ?? [];
  idleByKind.set(kind, list);
  if (list.length >= maxIdleEach) return running.end();
  const timer = setTimeout(() => {
    idleByKind.set(
      kind,
      (idleByKind.get(kind) ?? []).filter((one) => one.running !== running),
    );
    running.end();
  }, idleMs);
  timer.unref();
  list.push({ running, timer });
}

class RunningProcess {
  readonly #child: ChildProcess;
  readonly #exited: Promise<void>;
  readonly #limits: ProcessLimits;
  #stderrTail = '';
  isAlive = true;

  constructor({ module, limits }: Pick<ProcessOptions, 'module' | 'limits'>) {
    this.#limits = limits;
    const start: ProcessStart = {
      module: module.href,
      memoryBytes: limits.memoryMb * 2 ** 20,
      outputBytes: limits.outputBytes,
      parentPid: process.pid,
    };
    const flags = [`--max-old-space-size=${limits.memoryMb}`, '--disable-warning=ExperimentalWarning'];
    const child = spawn(process.execPath, [...flags, program, JSON.stringify(start)], {
      env: childEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      // A separate process group, so that its child processes are killed with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderrTail = (this.#stderrTail + text).slice(-stderrTailBytes);
    });
    this.#exited = new Promise((resolve) => {
      const gone = () => {
        this.isAlive = false;
        resolve();
      };
      child.once('error', gone);
      child.once('close', gone);
    });
    this.#hold(false);
  }

  /** Sets whether the child keeps this process alive. */
  #hold(isHeld: boolean): void {
    const change = isHeld ? 'ref' : 'unref';
    this.#child[change]();
    this.#child.channel?.[change]();
    (this.#child.stderr as Socket | null)?.[change]();
  }

  async run({ input, signal, onProgress, limits }: ProcessOptions): Promise<ProcessAnswer> {
    const child = this.#child;
    this.#hold(true);
    const { promise, resolve, reject } = Promise.withResolvers<ProcessAnswer>();
    const onAbort = () => reject(signal.reason);
    const onMessage = (message: ProcessMessage) => {
      stallTimer.refresh();
      if (message.kind === 'progress') onProgress?.(message.progress);
      else if (message.kind === 'error') resolve(message);
      else if (message.kind === 'too_large' || message.data.length > limits.outputBytes)
        reject(new ProcessLimitError('output', limits));
      else resolve(message);
    };
    const stallTimer = setTimeout(() => reject(new ProcessLimitError('stall', limits)), limits.stallMs);
    const totalTimer = setTimeout(() => reject(new ProcessLimitError('time', limits)), limits.totalMs);
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('message', onMessage);
    void this.#exited.then(() => reject(this.#endError()));
    child.send({ data: serialize(input) }, () => undefined);
    try {
      return await promise;
    } catch (error) {
      this.end();
      await this.#exited;
      throw error;
    } finally {
      clearTimeout(stallTimer);
      clearTimeout(totalTimer);
      signal.removeEventListener('abort', onAbort);
      child.off('message', onMessage);
      this.#hold(false);
    }
  }

  #endError(): ProcessLimitError {
    const isMemory =
      this.#stderrTail.includes(memoryLimitMark) || /heap out of memory/.test(this.#stderrTail);
    const { exitCode, signalCode } = this.#child;
    const end = signalCode ?? `exit code ${exitCode ?? 'unknown'}`;
    return new ProcessLimitError(isMemory ? 'memory' : 'crash', this.#limits, end, this.#stderrTail);
  }

  /** Kills the process with its group. A second call has no effect. */
  end(): void {
    const { pid } = this.#child;
    if (!this.isAlive || pid === undefined) return;
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch {
      // The process has ended already.
    }
  }
}

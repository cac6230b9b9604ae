import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pause } from '@stem-studio/server/platform/clock';
import { logIn } from '@stem-studio/server/testing/deck-windows';
import { processesBelow } from '@stem-studio/server/testing/kill-rounds/processes-below';
import { createPerson, type StudioPerson } from '@stem-studio/server/testing/kill-rounds/studio-person';
import { databaseUrlOf } from '@stem-studio/server/testing/service-process';
import { openTestContext, type TestContext } from '@stem-studio/server/testing/test-context';
import type { WatchOrder, WatchReport } from './watch-messages.ts';

const main = fileURLToPath(new URL('../../packages/server/src/main.ts', import.meta.url));
const watcherFile = fileURLToPath(new URL('./watcher.ts', import.meta.url));
const startLimitMs = 180_000;
const memoryEveryMs = 200;

/** The attacked service. */
export interface Target {
  readonly address: string;
  readonly pid: number;
  /** Its folder and its database, accessed from outside. */
  readonly context: TestContext;
  /** Returns its output so far. */
  output(): string;
  /** Registers another user, logged in. */
  register(): Promise<StudioPerson>;
}

/** Environment of one attack. Everything it starts ends with it. */
export interface Arena {
  /** Time limit of the attack, in milliseconds. */
  readonly limitMs: number;
  /** Creates a separate folder and an empty database. */
  open(): Promise<TestContext>;
  /** Starts a service on them and measures it from now on. Throws {@link StartRefused} if it exits instead. */
  start(context: TestContext, variables?: Readonly<Record<string, string>>): Promise<Target>;
  /** Runs a program that ends with the arena. */
  run(command: string, args: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess;
  /** Registers work for the end of the attack. */
  defer(work: () => Promise<void> | void): void;
}

/** An attack; returns its outcome as one sentence. */
export type Attack = (arena: Arena) => Promise<string>;

/** Effect of an attack on the service and on an honest user. */
export interface AttackReport {
  readonly outcome: string;
  readonly watched: WatchReport;
  /** Peak memory of the service and its children together, in bytes. */
  readonly peakBytes: number;
}

/** Error of a service that refused to start. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

/** Returns the environment of a service on the folder and the database of a context. */
export function environmentOf(
  context: TestContext,
  variables: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? `${context.folder}/compile-cache`,
    NODE_ENV: 'test',
    LOG_LEVEL: 'warn',
    PORT: '0',
    DATA_DIR: context.config.dataDir,
    DATABASE_URL: databaseUrlOf(context.connection),
    AUTO_ANALYZE: 'off',
    AUTO_SEPARATE: 'off',
    ...variables,
  };
}

/** Reads a child's output until it prints its address. Throws {@link StartRefused} if it exits before. */
export async function untilAddress(child: ChildProcess): Promise<{ address: string; output: () => string }> {
  let output = '';
  const address = await new Promise<string>((resolve, reject) => {
    const read = (data: Buffer) => {
      output += data.toString();
      const [, printedAddress] = /^Stem Studio: (\S+)/m.exec(output) ?? [];
      if (printedAddress !== undefined) resolve(printedAddress);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', () => reject(new StartRefused(output.trim().slice(-400))));
    setTimeout(
      () => reject(new StartRefused(`it printed no address: ${output.slice(-400)}`)),
      startLimitMs,
    ).unref();
  });
  return { address, output: () => output };
}

function residentBytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/**
 * Measures the peak memory of a process and its children. The returned function ends the measurement and returns the
 * peak in bytes.
 */
function watchMemory(pid: number): () => number {
  let peak = 0;
  const look = () => {
    const all = [pid, ...processesBelow([pid]).map((below) => below.pid)];
    const now = all.reduce((sum, one) => sum + residentBytes(one, 'VmRSS'), 0);
    peak = Math.max(peak, now, residentBytes(pid, 'VmHWM'));
  };
  const timer = setInterval(look, memoryEveryMs);
  return () => {
    look();
    clearInterval(timer);
    return peak;
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Runs one attack in a separate arena. */
export async function runAttack(attack: Attack, limitMs: number): Promise<AttackReport> {
  await using ends = new AsyncDisposableStack();
  const watcher = fork(watcherFile);
  ends.defer(() => kill(watcher));
  const send = (order: WatchOrder) => watcher.send(order);
  let memoryOf: (() => number) | null = null;
  const run: Arena['run'] = (command, args, environment) => {
    const child = spawn(command, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    ends.defer(() => kill(child));
    return child;
  };
  const arena: Arena = {
    limitMs,
    defer: (work) => ends.defer(async () => work()),
    run,
    open: () => openTestContext({ after: (work) => ends.defer(async () => work()) }),
    async start(context, variables = {}) {
      const child = run(process.execPath, [main], environmentOf(context, variables));
      const { address, output } = await untilAddress(child);
      const pid = child.pid ?? 0;
      const register = () => createPerson(context, () => address, limitMs);
      const honest = await register();
      const { cookie } = await logIn(context, honest);
      send({ watch: { address, headers: { cookie } } });
      memoryOf = watchMemory(pid);
      // Collects some measurements before the attack begins.
      await pause(500);
      return { address, pid, context, output, register };
    },
  };
  const outcome = await attack(arena).catch((error: unknown) => {
    if (error instanceof StartRefused) return `the start was refused: ${error.message}`;
    return `the attack broke off: ${error instanceof Error ? error.message : String(error)}`;
  });
  await pause(300);
  const report = once(watcher, 'message') as Promise<[WatchReport]>;
  send({ stop: true });
  const [watched] = await report;
  return { outcome, watched, peakBytes: (memoryOf as (() => number) | null)?.() ?? 0 };
}

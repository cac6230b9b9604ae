import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pause, systemClock } from '../../platform/clock.ts';
import { comparePromises, compareReceivedBytes } from './compare-promises.ts';
import { type Customer, createCustomer, deleteAccountOf, runMixedLoad, uploadSong } from './mixed-load.ts';
import { isRunning } from './processes-below.ts';
import { createSeededRandom, type SeededRandom } from './seeded-random.ts';
import { createPerson } from './studio-person.ts';
import { openStudioProcesses, type StudioProcesses, type Victim, victims } from './studio-processes.ts';
import { openStudioView, type StudioView } from './studio-view.ts';
import { makeTestSongs, type TestSongs } from './test-songs.ts';

/** Moments of a round at which the victim is killed. */
export const moments = ['any time', 'mid-upload', 'mid-delete'] as const;
/** Moment of a round at which the victim is killed. */
export type KillMoment = (typeof moments)[number];

/** Result of one round. */
export interface KillRound {
  readonly number: number;
  readonly victim: Victim;
  readonly moment: KillMoment;
  /** Whether there was a process to kill. */
  readonly isKilled: boolean;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  /** Jobs that finished in this round. */
  readonly jobs: number;
  /** Promised values that were not found: any entry is an error. */
  readonly lost: readonly string[];
  /** Inconsistencies of rows, files and queue that no sweep repairs: any entry is an error. */
  readonly broken: readonly string[];
  /** Leftovers that a sweep removed. */
  readonly swept: readonly string[];
  /** Processes that outlived their owner: any entry is an error. */
  readonly processes: readonly string[];
  readonly seconds: number;
}

/** Number and choice of the rounds. */
export interface KillRoundsOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Victim of every round; all victims alternate by default. */
  readonly victim?: Victim;
  readonly log?: (line: string) => void;
}

/** Shortest and longest time that the load runs before and after the kill, in ms. */
const loadMs = { before: [400, 1600], after: [100, 500] } as const;
const customersAtOnce = 2;
/** Longest wait for an engine to start, in ms. */
const engineLimitMs = 60_000;

/** Kinds of findings that only a pending sweep causes: leftovers of a killed process. */
const sweepable = /^(unknown_folder|unknown_file|stale_staging|pending_deletion|unused_source) /;

interface Scene {
  readonly processes: StudioProcesses;
  readonly view: StudioView;
  readonly songs: TestSongs;
  readonly random: SeededRandom;
  readonly nextNumber: () => number;
  customers: Customer[];
}

async function addCustomer({ view, processes, customers }: Scene): Promise<Customer> {
  const customer = createCustomer(await createPerson(view.context, () => processes.address()));
  customers.push(customer);
  return customer;
}

/** Waits for the moment while the load runs and starts the operation to interrupt. Returns the promise of its end. */
async function untilMoment(scene: Scene, moment: KillMoment, signal: AbortSignal): Promise<Promise<unknown>> {
  const { random, customers } = scene;
  await pause(random.int(...loadMs.before));
  if (moment === 'any time') return Promise.resolve();
  // Uses customers without other pending writes: the oldest one deletes their account, a new one uploads.
  if (moment === 'mid-delete') {
    const leaving = customers[0];
    const deleting = leaving ? deleteAccountOf(leaving) : Promise.resolve();
    await pause(random.int(0, 120));
    return deleting;
  }
  const uploader = await addCustomer(scene);
  const uploading = Promise.all(Array.from({ length: 2 }, () => uploadSong(uploader, { ...scene, signal })));
  await pause(random.int(0, 200));
  return uploading;
}

/** Requests a separation and waits until an engine processes it. */
async function untilEngine(scene: Scene, signal: AbortSignal): Promise<void> {
  const { processes, view, random } = scene;
  await uploadSong(await addCustomer(scene), { ...scene, signal }, { isSeparated: true });
  const deadline = systemClock.monotonicMs() + engineLimitMs;
  while (systemClock.monotonicMs() < deadline) {
    const running = await view.context.db
      .selectFrom('jobs')
      .select('id')
      .where('type', '=', 'processing')
      .where('status', '=', 'processing')
      .executeTakeFirst();
    if (running && processes.engines().length > 0) break;
    await pause(10);
  }
  await pause(random.int(0, 400));
}

/** Counts the jobs that finished since a moment, without those of accounts deleted in the meantime. */
async function countEnded({ context }: StudioView, since: Date): Promise<number> {
  const { count } = await context.db
    .selectFrom('jobs')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('finished_at', '>=', since)
    .executeTakeFirstOrThrow();
  return count;
}

function countsOf(customers: readonly Customer[]) {
  const sums = { acknowledged: 0, refused: 0, unknown: 0 };
  for (const { promised } of customers)
    for (const outcome of ['acknowledged', 'refused', 'unknown'] as const) {
      sums[outcome] += promised.counts[outcome];
      promised.counts[outcome] = 0;
    }
  return sums;
}

/** Returns the processes that outlived the kill: engines of a killed process must end with it. */
async function processesLeft(
  processes: StudioProcesses,
  before: readonly number[],
  killed: number | null,
): Promise<string[]> {
  const deadline = systemClock.monotonicMs() + 10_000;
  for (;;) {
    const ours = new Set(processes.engines());
    const left = [...before, ...(killed === null ? [] : [killed])].filter(
      (pid) => isRunning(pid) && !ours.has(pid),
    );
    if (left.length === 0 || systemClock.monotonicMs() > deadline)
      return left.map((pid) => `process ${pid} is left over`);
    await pause(50);
  }
}

async function playRound(scene: Scene, number: number, victim: Victim): Promise<KillRound> {
  const { processes, view, random } = scene;
  const startedMs = systemClock.monotonicMs();
  const startedAt = systemClock.now();
  while (scene.customers.length < customersAtOnce) await addCustomer(scene);
  const moment = random.pick(moments);
  const stopping = new AbortController();
  const busy = scene.customers.slice(moment === 'mid-delete' ? 1 : 0);
  const load = busy.map((customer) => runMixedLoad(customer, { ...scene, signal: stopping.signal }));
  const interrupted = await untilMoment(scene, moment, stopping.signal);
  if (victim === 'engine') await untilEngine(scene, stopping.signal);

  const enginesBefore = processes.engines();
  // Every load contains interrupted uploads, so no other process is killed in the rounds of this victim.
  const killed = victim === 'upload client' ? null : await processes.kill(victim);
  await pause(random.int(...loadMs.after));
  stopping.abort();
  await Promise.all([...load, interrupted]);
  await processes.start();

  await view.untilJobsEnd();
  const leftProcesses = await processesLeft(processes, enginesBefore, killed);
  const lost = [...(await compareReceivedBytes(view.context))];
  for (const customer of scene.customers) lost.push(...(await comparePromises(view.context, customer)));
  const counts = countsOf(scene.customers);
  // The comparison may have started jobs: cue points are created when they are first requested.
  await view.untilJobsEnd();
  const jobs = await countEnded(view, startedAt);
  const found = await view.check();
  await view.sweep();
  const remaining = await view.check();
  // If no process was killed, a sweep may find only scheduled deletions, such as bytes received twice.
  const isExcused = (line: string) =>
    killed === null ? line.startsWith('pending_deletion ') : sweepable.test(line);
  scene.customers = scene.customers.filter(({ promised }) => !promised.isCertain('account', false)).slice(-4);
  return {
    number,
    victim,
    moment,
    isKilled: victim === 'upload client' || killed !== null,
    ...counts,
    jobs,
    lost,
    broken: [...new Set([...found.filter((line) => !isExcused(line)), ...remaining])],
    swept: found.filter(isExcused),
    processes: leftProcesses,
    seconds: (systemClock.monotonicMs() - startedMs) / 1000,
  };
}

/**
 * Runs rounds on the same data: each keeps a studio busy through its public interfaces, kills one of its processes at a
 * random moment, restarts it, waits until every job has finished, and compares the data with the replies that its
 * clients received.
 *
 * @returns each round; empty `lost`, `broken` and `processes` mean no error
 */
export async function playKillRounds(options: KillRoundsOptions): Promise<KillRound[]> {
  const { rounds, seed, log = () => undefined } = options;
  const folder = await mkdtemp(join(tmpdir(), 'stem-studio-kills-'));
  // The database may run as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  const random = createSeededRandom(seed);
  const songs = await makeTestSongs(join(folder, 'catalog'));
  const processes = openStudioProcesses(folder, {
    CATALOG_FOLDER: join(folder, 'catalog'),
    // The load requests both itself, because a round should take only seconds.
    AUTO_ANALYZE: 'off',
    AUTO_SEPARATE: 'off',
  });
  let view: StudioView | null = null;
  try {
    await processes.start();
    view = await openStudioView(folder);
    let number = 0;
    const scene: Scene = { processes, view, songs, random, nextNumber: () => ++number, customers: [] };
    const results: KillRound[] = [];
    const order: Victim[] = [];
    for (let round = 1; round <= rounds; round++) {
      if (order.length === 0) order.push(...victims.toSorted(() => random.next() - 0.5));
      const result = await playRound(scene, round, options.victim ?? order.pop() ?? 'service');
      results.push(result);
      const faults = [...result.lost, ...result.broken, ...result.processes];
      log(
        `round ${round}: ${result.victim}${result.isKilled ? '' : ' (none there)'}, ${result.moment}, ${result.acknowledged} acknowledged, ${result.unknown} unknown, ${result.jobs} jobs, ${result.swept.length} swept, ${faults.length} faults, ${result.seconds.toFixed(1)} s`,
      );
      for (const line of result.swept) log(`  swept: ${line}`);
      for (const fault of faults) log(`  fault: ${fault}`);
    }
    return results;
  } catch (error) {
    throw new Error(
      `seed ${seed}: the rounds were broken off; the end of the output:\n${processes.output().slice(-3000)}`,
      {
        cause: error,
      },
    );
  } finally {
    await view?.close();
    await processes.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

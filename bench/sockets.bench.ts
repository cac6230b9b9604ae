import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { topicOf } from '@stem-studio/contract/channel';
import { type JobProgress, jobChannel } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { pause } from '@stem-studio/server/platform/clock';
import { requestJob } from '@stem-studio/server/platform/queue/jobs';
import { done } from '@stem-studio/server/platform/queue/verdict';
import { defineWorker } from '@stem-studio/server/platform/queue/worker';
import { publish } from '@stem-studio/server/platform/socket/publish';
import { startServiceProcess } from '@stem-studio/server/testing/service-process';
import { openTestContext } from '@stem-studio/server/testing/test-context';
import { insertTestTrack } from '@stem-studio/server/testing/test-track';
import { insertTestUser, type TestUser } from '@stem-studio/server/testing/test-user';
import { z } from 'zod';
import { storedJson } from '../packages/server/src/platform/db/stored-json.ts';
import type { Bench, BenchRow } from './bench.ts';
import type { CrowdOrder, CrowdReport } from './sockets/crowd-messages.ts';

const sockets = 1000;
/** Number of admins who watch one job, each with several sockets. */
const admins = 40;
/** Interval of the messages to one user each, and number of the messages to all users. */
const oneEachMs = 10;
const rounds = 40;
const barMs = 150;

const now = () => performance.timeOrigin + performance.now();
const crowdFile = fileURLToPath(new URL('./sockets/crowd.ts', import.meta.url));
const peerFile = fileURLToPath(new URL('./sockets/peer.ts', import.meta.url));

function quantile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

/** Returns the processor time of a process so far in milliseconds, and its resident memory in bytes. Linux only. */
function usageOf(pid: number): { cpuMs: number; residentBytes: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return { cpuMs: ticks * 10, residentBytes: Number(kilobytes) * 1024 };
}

type Crowd = ReturnType<typeof startCrowd>;

/** A server, its clients, and a function that broadcasts a message. */
interface Contestant {
  readonly crowd: Crowd;
  readonly pid: number;
  readonly say: (sentAt: string) => Promise<unknown>;
}

/** Starts the clients in a separate process. Returns functions to send a command and to wait for a report. */
function startCrowd(ends: AsyncDisposableStack) {
  const child = fork(crowdFile);
  ends.defer(() => end(child));
  const ask = async (order: CrowdOrder): Promise<CrowdReport> => {
    child.send(order);
    return receive();
  };
  const receive = async () => ((await once(child, 'message')) as [CrowdReport])[0];
  return { ask, receive };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Returns the time in ms from the call of `say` to the receipt, for each of `listeners`. */
async function timesOf(
  crowd: Crowd,
  listeners: number,
  say: (sentAt: string) => Promise<unknown>,
): Promise<readonly number[]> {
  await crowd.ask({ expect: listeners });
  const all = crowd.receive();
  await say(now().toFixed(3));
  const report = await all;
  return 'latencies' in report ? report.latencies : [];
}

/**
 * Measures two servers alternately, so that other load affects both. Returns their times, and the processor time per
 * receipt.
 */
async function measureAlternately(
  contestants: readonly Contestant[],
): Promise<{ times: number[]; cpuUs: number }[]> {
  const results = contestants.map(({ pid }) => ({ times: [] as number[], cpuMs: usageOf(pid).cpuMs }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { crowd, say }] of contestants.entries()) {
      results[i]?.times.push(...(await timesOf(crowd, sockets, say)));
      await pause(50);
    }
  }
  return results.map(({ times, cpuMs }, i) => ({
    times,
    cpuUs: ((usageOf(contestants[i]?.pid ?? 0).cpuMs - cpuMs) * 1000) / (rounds * sockets),
  }));
}

async function run(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const worker = defineWorker({
      type: 'analysis',
      args: storedJson('test job', z.strictObject({})),
      concurrency: () => 1,
      attempts: 1,
      runningStatus: 'processing',
      perform: () => Promise.resolve(done()),
    });
    const context = await openTestContext(lifetime, { workers: [worker] });
    const service = await startServiceProcess(context, 'serve', { NODE_ENV: 'production' });
    const socketUrl = (token: string) =>
      `${service.address.replace('http', 'ws')}/socket/websocket?vsn=2.0.0&token=${token}`;
    const users: TestUser[] = [];
    for (let i = 0; i < sockets; i++)
      users.push(await insertTestUser(context, i < admins ? 'admin' : 'user'));
    const [owner] = users;
    if (!owner) throw new Error('there is no user');
    const trackId = await insertTestTrack(context, owner.id);
    const job = await context.db.transaction().execute((tx) =>
      requestJob(context, tx, {
        type: 'analysis',
        user_id: owner.id,
        subject: { kind: 'track', id: trackId },
        args: {},
      }),
    );
    const progress = (message: string): JobProgress => ({
      job_id: job.id,
      type: 'analysis',
      track_id: trackId,
      status: 'processing',
      progress: 42,
      message,
      eta_seconds: 7,
      error: null,
    });

    // Each user joins the channel of their own library with one socket.
    const crowd = startCrowd(ends);
    await pause(500);
    const empty = usageOf(service.pid);
    await crowd.ask({
      enter: users.map(({ id, token }) => ({
        url: socketUrl(token),
        topic: topicOf(libraryChannel, { user_id: id }),
      })),
    });
    await pause(500);
    const full = usageOf(service.pid);
    log(`${sockets} users have joined their libraries`);
    const many: number[] = [];
    for (const { id } of users) {
      const say = (sentAt: string) =>
        publish(context.db, libraryChannel, { user_id: id }, 'job_progress', progress(sentAt));
      many.push(...(await timesOf(crowd, 1, say)));
      await pause(oneEachMs);
    }

    // All sockets join one job: the largest fan-out of a message.
    const other = startCrowd(ends);
    const entrances = Array.from({ length: sockets }, (_, i) => socketUrl(users[i % admins]?.token ?? ''));
    const topic = topicOf(jobChannel, { job_id: job.id });
    await other.ask({ enter: entrances.map((url) => ({ url, topic })) });
    log(`${entrances.length} more have joined one job`);
    // The peer: the same bytes to as many sockets, by a loop over the same library.
    const peer = fork(peerFile);
    ends.defer(() => end(peer));
    const [{ port }] = (await once(peer, 'message')) as [{ port: number }];
    const crowdOfPeer = startCrowd(ends);
    await crowdOfPeer.ask({
      enter: entrances.map(() => ({ url: `ws://127.0.0.1:${port}`, topic: null })),
    });
    const [one, bare] = await measureAlternately([
      {
        crowd: other,
        pid: service.pid,
        say: (sentAt) =>
          publish(context.db, jobChannel, { job_id: job.id }, 'job_progress', progress(sentAt)),
      },
      {
        crowd: crowdOfPeer,
        pid: peer.pid ?? 0,
        say: async (sentAt) => {
          peer.send({ say: JSON.stringify([null, null, topic, 'job_progress', progress(sentAt)]) });
        },
      },
    ]);
    if (!one || !bare) throw new Error('nothing was measured');

    const bar = `≤ ${barMs} ms`;
    const rowOf = (what: string, times: readonly number[], part: number): BenchRow => ({
      what,
      value: quantile(times, part),
      unit: 'ms',
    });
    const versus = (what: string, part: number): BenchRow => {
      const theirs = quantile(bare.times, part);
      const row = rowOf(what, one.times, part);
      return { ...row, against: `bare ws ${theirs.toPrecision(3)} ms`, ratio: theirs / row.value };
    };
    return [
      rowOf('NOTIFY to receipt, 1,000 users at their libraries, p50', many, 0.5),
      { ...rowOf('the same, p95', many, 0.95), bar },
      rowOf('the same, p99', many, 0.99),
      versus('NOTIFY to receipt, 1,000 more who all watch one job, p50', 0.5),
      { ...versus('the same, p95', 0.95), bar },
      versus('the same, p99', 0.99),
      {
        what: 'processor time for a message to one socket',
        value: one.cpuUs,
        unit: 'µs',
        against: `bare ws ${bare.cpuUs.toPrecision(3)} µs`,
        ratio: bare.cpuUs / one.cpuUs,
      },
      {
        what: 'memory of a joined socket',
        value: (full.residentBytes - empty.residentBytes) / sockets / 1024,
        unit: 'kB',
      },
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the delay of progress messages to many browsers. */
export const bench: Bench = {
  name: 'sockets',
  about:
    'Progress published through the database by another process, to sockets on one process of the service; against a loop of the same socket library that sends the same bytes.',
  run: ({ log }) => run(log),
};

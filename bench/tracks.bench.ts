import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pathOf } from '@stem-studio/contract/endpoint';
import { listRelatedTracks, listTracks } from '@stem-studio/contract/endpoints/tracks';
import { rateLimits } from '@stem-studio/contract/limits';
import { openBareTrackList } from '@stem-studio/server/testing/bare-track-list';
import { fillLibrary } from '@stem-studio/server/testing/fill-library';
import { openTestApp } from '@stem-studio/server/testing/test-app';
import type { Bench, BenchRow } from './bench.ts';
import type { LoadResult } from './load/http-load.ts';

const run = promisify(execFile);
const loader = fileURLToPath(new URL('./load/http-load.ts', import.meta.url));
const rounds = 5;
const seconds = 2;
const connections = 16;
const large = 100_000;
const small = 1000;

async function load(port: number, path: string, token = ''): Promise<LoadResult> {
  const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1${token && `\r\nAuthorization: Bearer ${token}`}`;
  const { stdout } = await run(process.execPath, [
    loader,
    JSON.stringify({ port, head, connections, seconds }),
  ]);
  const result = JSON.parse(stdout) as LoadResult;
  if (Object.keys(result.statuses).join() !== '200')
    throw new Error(`${path} answered ${JSON.stringify(result.statuses)}`);
  return result;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const perSecond = (results: readonly LoadResult[]) => median(results.map((r) => r.requests / r.seconds));

/** Measures the median time of one request at a time. */
async function alone(port: number, path: string, token: string): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < 15; i++) {
    const askedMs = performance.now();
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await reply.arrayBuffer();
    if (reply.status !== 200) throw new Error(`${path} answered ${reply.status}`);
    times.push(performance.now() - askedMs);
  }
  return median(times);
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const { context, service, registerUser } = await openTestApp(lifetime, {
      config: { isProduction: true },
    });
    // Raises the limit, so that each request is counted and checked as usual, but none is rejected.
    Object.assign(rateLimits.api_auth, { requests: 1_000_000_000 });
    const [owner, beginner] = [await registerUser(), await registerUser()];
    await fillLibrary(context.db, owner.id, large);
    await fillLibrary(context.db, beginner.id, small);
    log(`${large} and ${small} tracks are in`);
    const port = Number(new URL(await service.listen(0, '127.0.0.1')).port);

    const peerPort = await openBareTrackList(lifetime, context, owner.id);

    const results: Record<'peer' | 'large' | 'small', LoadResult[]> = { peer: [], large: [], small: [] };
    for (let round = -1; round < rounds; round++) {
      const one = {
        peer: await load(peerPort, '/rows'),
        large: await load(port, listTracks.path, owner.token),
        small: await load(port, listTracks.path, beginner.token),
      };
      // The first round is a warm-up.
      if (round < 0) continue;
      for (const name of ['peer', 'large', 'small'] as const) results[name].push(one[name]);
      log(
        Object.entries(one)
          .map(([name, r]) => `${name} ${Math.round(r.requests / r.seconds)}/s p99 ${r.p99Ms.toFixed(1)} ms`)
          .join(', '),
      );
    }
    const ours = perSecond(results.large);
    const theirs = perSecond(results.peer);
    const p99 = median(results.large.map((r) => r.p99Ms));
    const p50 = median(results.large.map((r) => r.medianMs));
    const rows: BenchRow[] = [
      {
        what: `20 of ${large} tracks`,
        value: ours,
        unit: 'requests/s',
        against: `fastify, one SELECT: ${Math.round(theirs)}/s`,
        ratio: ours / theirs,
        bar: '≥ 0.6 of it',
      },
      { what: 'p99 over median', value: p99 / p50, unit: '×', bar: '≤ 5 ×' },
      {
        what: `the page at ${large} over the page at ${small}`,
        value: perSecond(results.small) / ours,
        unit: '× the cost',
        bar: '≤ 1.2 ×',
      },
    ];
    for (const query of [
      'page=2500',
      'page=5000',
      'sort=title&page=2500',
      'sort=-bpm&page=2500',
      'q=artist',
      'q=4242',
      'q=warm+a7',
      'tag=late',
      'key=A+minor&bpm_min=120&bpm_max=125',
      'q=bpm:124',
      'q=~bpm:124',
      'q=~key:8A+~bpm:124',
      'q=artist:c4',
      'sort=fit&fit_key=A+minor&fit_bpm=124',
      'sort=fit&fit_key=A+minor&fit_bpm=124&page=2500',
    ]) {
      const path = `${listTracks.path}?${query}`;
      rows.push({ what: `alone: ${query}`, value: await alone(port, path, owner.token), unit: 'ms' });
    }
    const [newest] = await context.db
      .selectFrom('tracks')
      .select('id')
      .where('user_id', '=', owner.id)
      .where('bpm', 'is not', null)
      .where('key', '<>', '')
      .limit(1)
      .execute();
    const related = pathOf(listRelatedTracks, { id: newest?.id ?? '' });
    rows.push({ what: 'alone: related', value: await alone(port, related, owner.token), unit: 'ms' });
    return rows;
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the track list of a page, at sizes at which slow queries are noticeable. */
export const bench: Bench = {
  name: 'tracks',
  about:
    'The track list over HTTP with login and limits, beside a bare SELECT in the same framework; search and deep pages.',
  run: ({ log }) => measure(log),
};

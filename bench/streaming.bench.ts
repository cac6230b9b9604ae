import { execFile } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pathOf } from '@stem-studio/contract/endpoint';
import { exportStem, exportStems } from '@stem-studio/contract/endpoints/exports';
import { stemTypes } from '@stem-studio/contract/resources/stem';
import { pause } from '@stem-studio/server/platform/clock';
import { newId } from '@stem-studio/server/platform/ids';
import { openTestApp } from '@stem-studio/server/testing/test-app';
import { insertTestTrack } from '@stem-studio/server/testing/test-track';
import type { Bench, BenchRow } from './bench.ts';
import type { PullResult } from './load/http-pull.ts';

const run = promisify(execFile);
const puller = fileURLToPath(new URL('./load/http-pull.ts', import.meta.url));
const megabytes = 64;
const rounds = 5;
const slowReaders = 100;

async function pull(url: string, headers: Record<string, string>, times: number): Promise<number> {
  const { stdout } = await run(process.execPath, [puller, JSON.stringify({ url, headers, times })]);
  const { bytes, seconds } = JSON.parse(stdout) as PullResult;
  return bytes / 2 ** 20 / seconds;
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const residentMb = () => process.memoryUsage.rss() / 2 ** 20;

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  try {
    const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
    const { context, service, registerUser } = await openTestApp(lifetime, {
      config: { isProduction: true },
    });
    const user = await registerUser();
    const track_id = await insertTestTrack(context, user.id);
    const jobId = newId();
    const now = new Date();
    const moments = { created_at: now, started_at: now, finished_at: now, updated_at: now };
    const job = {
      id: jobId,
      type: 'processing',
      user_id: user.id,
      subject_kind: 'track',
      subject_id: track_id,
      args: '{}',
      status: 'completed',
    } as const;
    await context.db
      .insertInto('jobs')
      .values({ ...job, progress: 100, message: '', attempt: 1, max_attempts: 2, ...moments })
      .execute();
    const piece = crypto.getRandomValues(new Uint8Array(65_536));
    const stemIds: string[] = [];
    for (const stem_type of stemTypes.slice(0, 4)) {
      const file_path = `stems/${jobId}/${stem_type}.wav`;
      const { bytes } = await context.files.writeAtomically(file_path, async (out) => {
        for (let i = 0; i < megabytes * 16; i++) await out.append(piece);
      });
      const id = newId();
      stemIds.push(id);
      const audioFormat = { duration_ms: 1000, sample_rate: 44_100, channels: 2, peak: 1 };
      const made = { engine: 'local', model: 'hybrid_4', backend: 'none', created_at: now } as const;
      await context.db
        .insertInto('stems')
        .values({
          id,
          track_id,
          processing_job_id: jobId,
          stem_type,
          file_path,
          file_size: bytes,
          ...audioFormat,
          ...made,
        })
        .execute();
    }
    await context.db.updateTable('tracks').set({ stems_job_id: jobId }).where('id', '=', track_id).execute();
    log(`${stemIds.length} stems of ${megabytes} MB are stored`);

    const address = await service.listen(0, '127.0.0.1');
    const stemUrl = address + pathOf(exportStem, { id: stemIds[0] ?? '' });
    const zipUrl = address + pathOf(exportStems, { track_id });
    const path = context.files.absolute(`stems/${jobId}/${stemTypes[0]}.wav`);
    const bare = createServer((_request, reply) => void createReadStream(path).pipe(reply));
    await new Promise<void>((resolve) => bare.listen(0, '127.0.0.1', resolve));
    ends.defer(() => void bare.close());
    const bound = bare.address();
    const bareUrl = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/`;

    const speeds: Record<'bare' | 'file' | 'zip', number[]> = { bare: [], file: [], zip: [] };
    for (let round = -1; round < rounds; round++) {
      const one = {
        bare: await pull(bareUrl, {}, 4),
        file: await pull(stemUrl, user.headers, 4),
        zip: await pull(zipUrl, user.headers, 1),
      };
      if (round < 0) continue;
      for (const name of ['bare', 'file', 'zip'] as const) speeds[name].push(one[name]);
      log(
        Object.entries(one)
          .map(([name, speed]) => `${name} ${Math.round(speed)} MB/s`)
          .join(', '),
      );
    }

    // Clients that request everything and read nothing.
    const before = residentMb();
    const { hostname, port } = new URL(address);
    const sockets = Array.from({ length: slowReaders }, (_, i) => {
      const socket = connect(Number(port), hostname).pause();
      const wanted = new URL(i % 2 === 0 ? stemUrl : zipUrl).pathname;
      socket.write(
        `GET ${wanted} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${user.headers.authorization}\r\n\r\n`,
      );
      return socket;
    });
    await pause(4000);
    const held = residentMb() - before;
    for (const socket of sockets) socket.destroy();

    const against = `fs.createReadStream to a socket: ${Math.round(median(speeds.bare))} MB/s`;
    return [
      {
        what: 'a stem',
        value: median(speeds.file),
        unit: 'MB/s',
        against,
        ratio: median(speeds.file) / median(speeds.bare),
      },
      {
        what: 'four stems as a ZIP',
        value: median(speeds.zip),
        unit: 'MB/s',
        against,
        ratio: median(speeds.zip) / median(speeds.bare),
      },
      {
        what: `memory that ${slowReaders} readers who read nothing hold`,
        value: held,
        unit: 'MB',
        bar: 'flat',
      },
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the delivery of files. */
export const bench: Bench = {
  name: 'streaming',
  about:
    'Stems and ZIPs over HTTP, beside a bare stream from the disk to a socket; memory under slow readers.',
  run: ({ log }) => measure(log),
};

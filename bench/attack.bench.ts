import { type Attack, runAttack } from './attack/arena.ts';
import { emptyDatabase } from './attack/empty-database.ts';
import { fullDisk } from './attack/full-disk.ts';
import { hostileCatalogFile } from './attack/hostile-catalog-file.ts';
import { silentSongs } from './attack/silent-songs.ts';
import { songsBeforeAnother } from './attack/songs-before.ts';
import { trickledBody } from './attack/trickled-body.ts';
import { twoServices } from './attack/two-services.ts';
import { unknownHost } from './attack/unknown-host.ts';
import { joinUnknownTopics } from './attack/unknown-topics.ts';
import { uploadFlacComments, uploadLargeCover } from './attack/upload-hostile-file.ts';
import { vanishedFiles } from './attack/vanished-files.ts';
import { watchEveryMs } from './attack/watch-messages.ts';
import { wrongLogIns } from './attack/wrong-log-ins.ts';
import type { Bench, BenchRow } from './bench.ts';

const attacks: Readonly<Record<string, Attack>> = {
  'start with an empty database': emptyDatabase,
  'FLAC with 2,097,152 comments': uploadFlacComments,
  'ID3 cover of 200 MB': uploadLargeCover,
  'the FLAC in the catalog folder': hostileCatalogFile,
  'two services on one data directory': twoServices,
  '60 wrong log-ins without the table of limits': wrongLogIns,
  'silent songs of an hour': silentSongs,
  '40 songs before a song of another user': songsBeforeAnother,
  '100 sockets that join unknown topics': joinUnknownTopics,
  'Host: evil.example': unknownHost,
  'a full disk': fullDisk,
  'trickled uploads': trickledBody,
  '70,000 vanished catalog files': vanishedFiles,
};

/** Time limit of an attack; some never end by themselves. */
const limitMs = 60_000;

/**
 * Adds the requests that were due during a slow one, each with its shorter wait: a service that hangs receives only one
 * request in that time.
 */
function withThoseDue(times: readonly number[]): number[] {
  return times.flatMap((ms) =>
    Array.from({ length: Math.max(1, Math.ceil(ms / watchEveryMs)) }, (_, at) => ms - at * watchEveryMs),
  );
}

function quantile(times: readonly number[], part: number): number {
  const sorted = withThoseDue(times).toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const chosen = process.env.BENCH_ATTACK?.toLowerCase() ?? '';
  for (const [name, attack] of Object.entries(attacks)) {
    if (!name.toLowerCase().includes(chosen)) continue;
    const { outcome, watched, peakBytes } = await runAttack(attack, limitMs);
    const { health, honest, failures } = watched;
    const figures = [health, honest].map((times) =>
      times.length === 0
        ? 'not watched'
        : `max ${Math.round(quantile(times, 1))}, p95 ${Math.round(quantile(times, 0.95))} ms`,
    );
    log(`${name}: ${outcome}`);
    log(
      `  /health ${figures[0]}; honest user ${figures[1]}; ${failures} failed; ${Math.round(peakBytes / 1e6)} MB`,
    );
    rows.push(
      { what: `${name}: ${outcome}`, value: failures, unit: 'failed requests' },
      { what: '  /health, slowest', value: quantile(health, 1), unit: 'ms', bar: '≤ 1000 ms' },
      { what: '  /health, p95', value: quantile(health, 0.95), unit: 'ms' },
      { what: '  tracks of an honest user, slowest', value: quantile(honest, 1), unit: 'ms' },
      { what: '  tracks of an honest user, p95', value: quantile(honest, 0.95), unit: 'ms' },
      { what: '  memory of the service at most', value: peakBytes / 1e6, unit: 'MB' },
    );
  }
  return rows;
}

/** Measures the effect of attacks on the service and on an honest user. */
export const bench: Bench = {
  name: 'attack',
  about:
    'One attack after another on a real service of its own (BENCH_ATTACK: those with this in their name), while /health and the tracks of an honest user are asked for ten times a second from another process.',
  run: ({ log }) => measure(log),
};

import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createEmptyDatabase } from '@stem-studio/server/testing/backup-steps';
import { fillLibrary } from '@stem-studio/server/testing/fill-library';
import { backUp, restoreElsewhere } from '@stem-studio/server/testing/restore-steps';
import { openTestContext } from '@stem-studio/server/testing/test-context';
import { insertTestUser } from '@stem-studio/server/testing/test-user';
import type { Bench, BenchRow } from './bench.ts';

const run = promisify(execFile);
const songs = 24;
const stemBytes = 10_000_000;
const stemsOfSong = 4;
const smallFiles = 1000;
const rounds = 3;
const tracks = 20_000;

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  const ends = new AsyncDisposableStack();
  const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
  try {
    const context = await openTestContext(lifetime);
    const { uploadsDir } = context.config;
    const user = await insertTestUser(context);
    await fillLibrary(context.db, user.id, tracks);
    const noise = Buffer.alloc(stemBytes);
    for (let at = 0; at < noise.length; at += 4) noise.writeUInt32LE((at * 2_654_435_761) >>> 0, at);
    for (let song = 0; song < songs; song++)
      for (let stem = 0; stem < stemsOfSong; stem++)
        await context.files.writeAtomically(`stems/${song}/${stem}.wav`, (out) => out.append(noise));
    for (let small = 0; small < smallFiles; small++)
      await context.files.writeAtomically(`downloads/${small}/peaks.bin`, (out) =>
        out.append(noise.subarray(0, 4000)),
      );
    const megabytes = (songs * stemsOfSong * stemBytes + smallFiles * 4000) / 1e6;
    log(`${megabytes.toFixed(0)} MB in ${songs * stemsOfSong + smallFiles} files, ${tracks} tracks`);

    const copies: number[] = [];
    const first: number[] = [];
    const next: number[] = [];
    const restores: number[] = [];
    const copy = join(context.folder, 'copy');
    const backups = join(context.folder, 'backups');
    for (let round = 0; round < rounds; round++) {
      copies.push(await secondsOf(() => run('cp', ['-a', uploadsDir, copy])));
      await rm(copy, { recursive: true });
      let folder = '';
      first.push(
        await secondsOf(async () => {
          ({ folder } = await backUp(context));
        }),
      );
      next.push(await secondsOf(() => backUp(context)));
      const connection = await createEmptyDatabase(lifetime);
      const name = `restored-${round}`;
      restores.push(await secondsOf(() => restoreElsewhere(lifetime, context, folder, { connection, name })));
      await rm(join(context.folder, name), { recursive: true });
      await rm(backups, { recursive: true });
      log(`round ${round + 1} of ${rounds}`);
    }
    const peer = megabytes / median(copies);
    const row = (what: string, seconds: readonly number[], bar?: string): BenchRow => ({
      what,
      value: megabytes / median(seconds),
      unit: 'MB/s',
      against: `cp -a of the files alone ${peer.toFixed(0)} MB/s`,
      ratio: megabytes / median(seconds) / peer,
      ...(bar !== undefined && { bar }),
    });
    return [
      row('first backup: files copied, hashed and synced, database dumped', first),
      row('second backup: nothing changed', next, '≥ 1 of cp -a'),
      row('restore: verified, files copied, read back and synced, database loaded', restores),
    ];
  } finally {
    await ends.disposeAsync();
  }
}

/** Measures the speed of backing up and restoring a library. */
export const bench: Bench = {
  name: 'backup',
  about: 'MB of stored files per second that are backed up, backed up again unchanged, and restored.',
  run: ({ log }) => measure(log),
};

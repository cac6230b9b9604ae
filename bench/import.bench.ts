import { lookUpLink } from '@stem-studio/server/features/catalog/index';
import { endImport, importCollection } from '@stem-studio/server/features/downloads/imports.service';
import { downloads } from '@stem-studio/server/features/downloads/index';
import { countStatements } from '@stem-studio/server/testing/count-statements';
import { standInId, standInPlaylists } from '@stem-studio/server/testing/stand-ins/catalog-data';
import { startStandInCatalog } from '@stem-studio/server/testing/stand-ins/catalog-server';
import { openTestContext } from '@stem-studio/server/testing/test-context';
import { insertTestUser } from '@stem-studio/server/testing/test-user';
import type { Bench, BenchRow } from './bench.ts';

async function measure(log: (line: string) => void): Promise<BenchRow[]> {
  await using ends = new AsyncDisposableStack();
  const lifetime = { after: (work: () => Promise<void> | void) => ends.defer(async () => work()) };
  const standIn = await startStandInCatalog();
  ends.defer(() => standIn.close());
  const statements = countStatements();
  ends.defer(() => statements.stop());
  const context = await openTestContext(lifetime, {
    config: { webCatalog: standIn },
    features: [downloads],
  });
  const user = await insertTestUser(context);
  const found = await lookUpLink(
    context,
    user.id,
    `https://open.spotify.com/playlist/${standInId('playlist', standInPlaylists.thousand)}`,
  );
  if (found.type === 'track') throw new Error('the stand-in must give a playlist');
  const songs = found.tracks.length;
  const step = async (what: string, work: () => Promise<unknown>): Promise<BenchRow[]> => {
    const [before, startedMs] = [statements.count(), performance.now()];
    await work();
    const ms = performance.now() - startedMs;
    const asked = statements.count() - before;
    log(`${what}: ${Math.round(ms)} ms, ${asked} statements for ${songs} songs`);
    return [
      { what: `${what}, time a song`, value: ms / songs, unit: 'ms' },
      { what: `${what}, statements a song`, value: asked / songs, unit: '' },
    ];
  };
  let id = '';
  const rows = await step('import of 1,000 songs', async () => {
    id = (await importCollection(context, user.viewer, found, 'low')).import_id ?? '';
  });
  rows.push(...(await step('the same again', () => importCollection(context, user.viewer, found, 'low'))));
  rows.push(...(await step('cancel of 1,000 songs', () => endImport(context, user.viewer, id))));
  return rows;
}

/** Measures the database load of a long list when it is imported and cancelled. */
export const bench: Bench = {
  name: 'import',
  about: 'A playlist of 1,000 songs into an empty library, again, and cancelled before its first download.',
  run: ({ log }) => measure(log),
};

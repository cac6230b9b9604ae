import { byteText } from '@stem-studio/contract/byte-text';
import type { Quota, Usage } from '@stem-studio/contract/resources/usage';
import { changeQuota } from '../features/accounts/index.ts';
import { listUsage } from '../features/quotas/index.ts';
import { userBy } from './account-commands.ts';
import { type Command, type Given, UsageError } from './command.ts';
import { withContext } from './with-context.ts';

const names = ['storage-gb', 'tracks', 'queued-jobs', 'stem-sets'] as const;
const columns = {
  'storage-gb': 'storage_bytes',
  tracks: 'tracks',
  'queued-jobs': 'queued_jobs',
  'stem-sets': 'stem_sets',
} as const satisfies Record<(typeof names)[number], keyof Quota>;
const most = { 'storage-gb': 1_000_000, tracks: 1e7, 'queued-jobs': 1e7, 'stem-sets': 1e7 } as const;

/** Returns the limits given as options; `default` resets a limit to the settings. */
function changeOf(given: Given): Partial<Quota> {
  const change: Partial<Quota> = {};
  for (const name of names) {
    const text = given.text(name);
    if (text === null) continue;
    if (text === 'default') {
      change[columns[name]] = null;
      continue;
    }
    const pattern = name === 'storage-gb' ? /^\d+(\.\d+)?$/ : /^\d+$/;
    const value = Number(text);
    if (!pattern.test(text) || value > most[name]) {
      throw new UsageError(
        `--${name} must be a number from 0 (no limit) to ${most[name]}, or default (got ${text})`,
      );
    }
    change[columns[name]] = name === 'storage-gb' ? Math.round(value * 2 ** 30) : value;
  }
  return change;
}

function linesOf({ storage, tracks, queued_jobs, stem_sets }: Usage, quota: Quota): string[] {
  const own = (name: keyof Quota) => (quota[name] === null ? '' : ' (own limit)');
  const limit = (value: number | null, text: (value: number) => string = String) =>
    value === null ? 'no limit' : text(value);
  const waiting = storage.expected_bytes > 0 ? ` and ${byteText(storage.expected_bytes)} waiting` : '';
  return [
    `storage      ${byteText(storage.used_bytes)}${waiting} / ${limit(storage.limit_bytes, byteText)}${own('storage_bytes')}`,
    `tracks       ${tracks.used} / ${limit(tracks.limit)}${own('tracks')}`,
    `queued jobs  ${queued_jobs.used} / ${limit(queued_jobs.limit)}${own('queued_jobs')}`,
    `stem sets    ${stem_sets.used} / ${limit(stem_sets.limit)}${own('stem_sets')}`,
  ];
}

const option = (help: string) => ({ type: 'string', value: 'N', help }) as const;

/** Prints the storage use and the limits of a user, and changes the limits. */
export const userQuota: Command = {
  name: 'user quota',
  operands: ['EMAIL'],
  summary: 'Show or change what a user may store',
  options: {
    'storage-gb': option('Audio and stems in GB (2^30 bytes), such as 50 or 0.5'),
    tracks: option('Tracks in the library'),
    'queued-jobs': option('Jobs that wait or run at once'),
    'stem-sets': option('Stored separations'),
  },
  notes: ['0 is no limit, "default" the QUOTA_* settings. What is stored already stays, above a limit too.'],
  async run(given, terminal) {
    const change = changeOf(given);
    return withContext(async (context) => {
      const { id } = await userBy(context, given);
      if (Object.keys(change).length > 0) {
        await context.db
          .transaction()
          .execute((tx) => changeQuota(context, tx, { actorId: null, userId: id }, change));
      }
      const found = (await listUsage(context, [id])).get(id);
      for (const line of found ? linesOf(found.usage, found.quota) : []) terminal.print(line);
      return 0;
    });
  },
};

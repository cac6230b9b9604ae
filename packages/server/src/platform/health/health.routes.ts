import type { ReplyOf } from '@stem-studio/contract/endpoint';
import { health, healthLive, healthReady } from '@stem-studio/contract/endpoints/health';
import type { FastifyInstance } from 'fastify';
import { pause } from '../clock.ts';
import type { Context } from '../context.ts';
import { readMigrations } from '../db/migrate.ts';
import { messageOf } from '../errors.ts';
import { route, type WithStatus, withStatus } from '../http/route.ts';

/** Maximum time to examine the disk, in ms. */
const diskLimitMs = 700;

const noDatabase = 'the database does not answer';
const stopping = 'the service is stopping';

async function diskProblems({ disk, log }: Context): Promise<string[]> {
  const answered = new AbortController();
  const asked = disk.problems().catch((error: unknown) => {
    log.warn({ err: error }, 'the disk could not be examined');
    return [`the disk cannot be examined (${(error as { code?: string }).code ?? messageOf(error)})`];
  });
  const late = pause(diskLimitMs, answered.signal).then(() => ['the disk does not answer']);
  try {
    return await Promise.race([asked, late]);
  } finally {
    answered.abort();
  }
}

type Report = ReplyOf<typeof health>;

const reportOf = (reasons: readonly string[]): Report | WithStatus<Report> =>
  reasons.length === 0 ? { status: 'ok' } : withStatus(503, { status: 'error', reasons: [...reasons] });

/**
 * Mounts the health endpoints. They do not use the connection pool, so they reply even if it hangs.
 *
 * @spec Health
 */
export function mountHealthRoutes(http: FastifyInstance, context: Context, isStopping: () => boolean): void {
  const ownMigrations = readMigrations().then((all) => all.at(-1)?.name ?? '');

  route(http, context, health, async () => {
    const [database, problems] = await Promise.all([context.databaseProbe.probe(), diskProblems(context)]);
    return reportOf([
      ...(isStopping() ? [stopping] : []),
      ...(database.isAnswering ? [] : [noDatabase]),
      ...problems,
    ]);
  });

  route(http, context, healthLive, async () => ({ status: 'ok' as const }));

  route(http, context, healthReady, async () => {
    if (isStopping()) return reportOf([stopping]);
    const { isAnswering, newestMigration } = await context.databaseProbe.probe();
    if (!isAnswering) return reportOf([noDatabase]);
    const isMigrated = newestMigration !== null && newestMigration >= (await ownMigrations);
    return reportOf(isMigrated ? [] : ['the database schema is not up to date']);
  });
}

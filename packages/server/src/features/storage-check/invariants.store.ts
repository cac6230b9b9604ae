import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import type { FindingKind } from './finding.ts';

/** Temporary states to tolerate in a running service. */
export interface Patience {
  /** Whether the service is running, so that work under way is no finding. */
  readonly isRunning: boolean;
  /** Age below which an object is no finding, in s. */
  readonly graceSeconds: number;
  /** Time for which a deleted track stays in the trash, in s. */
  readonly trashSeconds: number;
}

interface Violation {
  readonly subject: string;
  readonly detail: string;
}

type Statement = RawBuilder<Violation>;

/** Time without a heartbeat after which a worker counts as dead, in s: pg-boss detects it after 10 s. */
const deadWorkerSeconds = 30;

/** Returns the statements that find queue entries without an unfinished job, and the reverse. */
function queueStatements({ isRunning }: Patience): readonly (readonly [FindingKind, Statement])[] {
  const entries = sql`(select id, name, state::text as state, heartbeat_on from pgboss.job
    where state in ('created', 'retry', 'active') and data ? 'job_id')`;
  const isHolderGone = isRunning
    ? sql`entry.state = 'created' or entry.state = 'active'
        and coalesce(entry.heartbeat_on, to_timestamp(0)) < now() - ${deadWorkerSeconds} * interval '1 second'`
    : sql`true`;
  return [
    [
      'queue_entry_without_job',
      sql`select entry.id::text as subject, 'line ' || entry.name || ', state ' || entry.state as detail
        from ${entries} as entry left join jobs on jobs.queue_id = entry.id and jobs.finished_at is null
        where jobs.id is null`,
    ],
    [
      'job_without_queue_entry',
      sql`select jobs.id::text as subject, jobs.type || ' job, status ' || status as detail
        from jobs left join ${entries} as entry on entry.id = jobs.queue_id
        where jobs.finished_at is null and entry.id is null`,
    ],
    [
      'lease_holder_gone',
      sql`select jobs.id::text as subject,
          jobs.type || ' job, status ' || status || ', queue entry ' || entry.state as detail
        from jobs join ${entries} as entry on entry.id = jobs.queue_id
        where jobs.finished_at is null and jobs.lease_id is not null and (${isHolderGone})`,
    ],
  ];
}

const jobStatements: readonly (readonly [FindingKind, Statement])[] = [
  [
    'job_inconsistent',
    sql`select id::text as subject, type || ' job, status ' || status || ': ' || rule as detail
      from jobs, lateral (values
        ((finished_at is null) = (status in ('completed', 'failed')),
          'a finished status and a time of its end go together'),
        (finished_at is not null and (lease_id is not null or queue_id is not null),
          'a finished job has neither lease nor queue entry'),
        (status = 'queued' and lease_id is not null, 'a waiting job has no lease'),
        (status in ('downloading', 'processing') and lease_id is null, 'a running job has a lease'),
        (status = 'failed' and error is null, 'a failed job says why'),
        (attempt > max_attempts, 'attempts stay within their limit')
      ) as checked (is_broken, rule)
      where is_broken`,
  ],
  [
    'job_inconsistent',
    sql`select jobs.id::text as subject, type || ' job of another user than its track' as detail
      from jobs join tracks on tracks.id = subject_id where jobs.user_id <> tracks.user_id`,
  ],
  [
    'job_inconsistent',
    sql`select id::text as subject, type || ' job of a track that is gone' as detail from jobs
      where subject_kind = 'track' and not exists (select from tracks where tracks.id = subject_id)`,
  ],
  [
    'job_inconsistent',
    sql`select id::text as subject, 'completed ' || type || ' job without a result' as detail from jobs
      where status = 'completed' and (
        type = 'processing' and not exists (select from stems where processing_job_id = jobs.id)
          and not exists (select from separations where job_id = jobs.id and deleted_at is not null)
        or type = 'analysis' and not exists (select from analyses where job_id = jobs.id))`,
  ],
  [
    'job_inconsistent',
    sql`select jobs.id::text as subject, 'result of a ' || type || ' job with status ' || status as detail
      from jobs where status <> 'completed' and (
        exists (select from stems where processing_job_id = jobs.id)
        or exists (select from analyses where job_id = jobs.id))`,
  ],
];

const trackStatements: readonly (readonly [FindingKind, Statement])[] = [
  [
    'track_inconsistent',
    sql`select tracks.id::text as subject,
        'its audio ' || audio_source_id || ' has no rendition of quality ' || coalesce(tracks.quality, 'null')
          as detail
      from tracks left join audio_renditions as made
        on made.source_id = audio_source_id and made.quality = tracks.quality
      where audio_source_id is not null and made.source_id is null`,
  ],
  [
    'track_inconsistent',
    sql`select tracks.id::text as subject,
        'plays stems of ' || jobs.type || ' job ' || jobs.id || ', status ' || jobs.status as detail
      from tracks join jobs on jobs.id = stems_job_id
      where jobs.subject_id is distinct from tracks.id or jobs.type <> 'processing' or jobs.status <> 'completed'`,
  ],
  [
    'track_inconsistent',
    sql`select stems.id::text as subject, 'stem of another track than its job ' || jobs.id as detail
      from stems join jobs on jobs.id = processing_job_id where jobs.subject_id is distinct from stems.track_id`,
  ],
  [
    'track_inconsistent',
    sql`select tracks.id::text as subject, 'no audio although its newest download completed' as detail
      from tracks join lateral (select status from jobs where subject_kind = 'track' and subject_id = tracks.id and type = 'download'
        order by created_at desc, id desc limit 1) as newest on newest.status = 'completed'
      where audio_source_id is null`,
  ],
  [
    'track_inconsistent',
    sql`select tracks.id::text as subject, 'deleted, with an unfinished ' || jobs.type || ' job' as detail
      from tracks join jobs on jobs.subject_id = tracks.id and jobs.finished_at is null
      where deleted_at is not null`,
  ],
  [
    'grid_inconsistent',
    sql`select track_id::text as subject, 'step ' || step_index || ' is in force and missing' as detail
      from beat_grids where step_index > 0 and not exists (select from beat_grid_steps as step
        where step.track_id = beat_grids.track_id and step.step_index = beat_grids.step_index)`,
  ],
  [
    'count_inconsistent',
    sql`select coalesce(counted.user_id, live.user_id)::text as subject,
        'user has ' || coalesce(live.count, 0) || ' tracks, counted are ' || coalesce(counted.count, 0) as detail
      from (select user_id, sum(change)::bigint as count from track_counts group by user_id) as counted
      full join (select user_id, count(*) as count from tracks where deleted_at is null group by user_id) as live
        on live.user_id = counted.user_id
      where coalesce(counted.count, 0) <> coalesce(live.count, 0)`,
  ],
];

function agingStatements({
  graceSeconds,
  trashSeconds,
}: Patience): readonly (readonly [FindingKind, Statement])[] {
  const isOld = (column: RawBuilder<unknown>, seconds: number) =>
    sql`${column} < now() - ${seconds} * interval '1 second'`;
  return [
    [
      'pending_deletion',
      sql`select id::text as subject, 'track deleted at ' || deleted_at || ' still has its rows' as detail
        from tracks where ${isOld(sql`deleted_at`, trashSeconds + 900)}`,
    ],
    [
      'unused_source',
      sql`select id::text as subject, bytes || ' bytes received, used by no track' as detail
        from audio_sources where ${isOld(sql`created_at`, graceSeconds)}
        and not exists (select from tracks where audio_source_id = audio_sources.id)`,
    ],
    [
      'import_inconsistent',
      sql`select id::text as subject,
          completed || ' completed and ' || failed || ' failed of ' || total || ', ' ||
          case when finished_at is null then 'unfinished without an unfinished job'
            else 'finished with an unfinished job or a wrong count' end as detail
        from imports, lateral (select exists (select from jobs where batch_id = imports.id
          and jobs.finished_at is null) as is_working) as work
        where ${isOld(sql`created_at`, graceSeconds)} and (finished_at is null) <> is_working
          or completed + failed > total`,
    ],
  ];
}

/** Returns rows that violate an invariant or contradict other rows or the queue, each with its kind. */
export async function listViolations(
  db: Db,
  patience: Patience,
): Promise<readonly (Violation & { readonly kind: FindingKind })[]> {
  const found: (Violation & { readonly kind: FindingKind })[] = [];
  const statements = [
    ...queueStatements(patience),
    ...jobStatements,
    ...trackStatements,
    ...agingStatements(patience),
  ];
  for (const [kind, statement] of statements) {
    const { rows } = await statement.execute(db);
    found.push(...rows.map((row) => ({ kind, ...row })));
  }
  return found;
}

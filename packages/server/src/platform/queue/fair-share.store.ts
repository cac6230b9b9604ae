import { sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { JobRow } from '../db/platform-tables.ts';
import type { FlowState, QueueClass } from './fair-share.ts';

/** The requests of one user and class in one line (flow of the fair queue). */
export interface Flow {
  readonly line: string;
  readonly userId: number;
  readonly queueClass: QueueClass;
}

/**
 * Returns the states of flows, in the order of the flows. Takes no locks: jobs that are requested at the same time may
 * get the same tag. {@link chargeShare} corrects this when they start.
 */
export async function findFlowStates(db: Db | Tx, flows: readonly Flow[]): Promise<FlowState[]> {
  const { rows } = await sql<FlowState>`
    select
      coalesce(lines.virtual_time, 0) as "virtualTime",
      greatest(
        coalesce(flows.finish_tag, 0),
        coalesce((
          select max(jobs.queue_finish_tag) from jobs
          where jobs.queue_line = asked.line and jobs.user_id = asked.user_id and jobs.queue_class = asked.class
            and jobs.finished_at is null
        ), 0)
      ) as "finishTag"
    from unnest(
      ${flows.map(({ line }) => line)}::text[],
      ${flows.map(({ userId }) => userId)}::int[],
      ${flows.map(({ queueClass }) => queueClass)}::text[]
    ) with ordinality as asked (line, user_id, class, position)
    left join queue_lines lines on lines.line = asked.line
    left join queue_flows flows
      on flows.line = asked.line and flows.user_id = asked.user_id and flows.class = asked.class
    order by asked.position`.execute(db);
  return rows;
}

/** Returns the queue classes of jobs by job id. Deleted jobs are missing. */
export async function findQueueClasses(
  db: Db | Tx,
  jobIds: readonly string[],
): Promise<Map<string, QueueClass>> {
  const { rows } = await sql<Pick<JobRow, 'id' | 'queue_class'>>`
    select id, queue_class from jobs where id = any (${jobIds}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.queue_class]));
}

/**
 * Charges the start of a job to its flow. Adds its cost to the flow and moves the virtual time of its line to its tag.
 * The caller's transaction locks the rows of flow and line until it ends, so it must be short.
 */
export async function chargeShare(tx: Tx, job: JobRow): Promise<void> {
  const { queue_line, user_id, queue_class, queue_tag, queue_finish_tag } = job;
  if (queue_line === null) return;
  await sql`
    with charged as (
      insert into queue_flows as flow (line, user_id, class, finish_tag)
      values (${queue_line}, ${user_id}, ${queue_class}, ${queue_finish_tag})
      on conflict (line, user_id, class) do update set
        finish_tag = least(2147483647,
          greatest(flow.finish_tag, ${queue_tag})::bigint + ${queue_finish_tag - queue_tag})
    )
    insert into queue_lines as line (line, virtual_time) values (${queue_line}, ${queue_tag})
    on conflict (line) do update set virtual_time = greatest(line.virtual_time, excluded.virtual_time)`.execute(
    tx,
  );
}

/** Deletes flows that are not ahead of the virtual time, and resets lines without unfinished jobs. */
export async function sweepQueueShares(db: Db): Promise<void> {
  await sql`
    delete from queue_flows using queue_lines
    where queue_lines.line = queue_flows.line and queue_flows.finish_tag <= queue_lines.virtual_time`.execute(
    db,
  );
  await sql`
    with idle as (
      delete from queue_lines
      where not exists (
        select 1 from jobs where jobs.queue_line = queue_lines.line and jobs.finished_at is null
      )
      returning line
    )
    delete from queue_flows using idle where queue_flows.line = idle.line`.execute(db);
}

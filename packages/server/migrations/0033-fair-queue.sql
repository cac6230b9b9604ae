-- The order of a line of jobs: shares of users and of kinds of requests, see docs/decisions/0225-fair-queues.md.
alter table jobs
  -- Line that the job waits in; null for jobs that had finished before there were shares.
  add column queue_line text,
  add column queue_class text not null default 'interactive' check (queue_class in ('interactive', 'batch')),
  -- Virtual time at which the job may start, and at which it has used up its share. Smaller starts first.
  add column queue_tag integer not null default 0,
  add column queue_finish_tag integer not null default 0;
create index jobs_of_flow on jobs (queue_line, user_id, queue_class, queue_finish_tag) where finished_at is null;

-- Virtual time of a line: the largest tag of a job that has started.
create table queue_lines (
  line text primary key,
  virtual_time integer not null
);

-- How far a user's requests of one class have used their share of a line. Rows that say nothing any more are swept.
create table queue_flows (
  line text not null,
  user_id integer not null,
  class text not null check (class in ('interactive', 'batch')),
  finish_tag integer not null,
  primary key (line, user_id, class)
);

-- What waits at the time of the upgrade takes turns too.
update jobs set
  queue_line = case when type = 'processing' and args ->> 'engine' = 'cloud' then 'processing-elsewhere' else type end,
  queue_class = case when batch_id is null then 'interactive' else 'batch' end
where finished_at is null;
update jobs set queue_tag = turn.tag, queue_finish_tag = turn.tag + 180
from (
  select id, 180 * (row_number() over (partition by queue_line, user_id, queue_class order by created_at, id) - 1) as tag
  from jobs where finished_at is null
) turn
where jobs.id = turn.id;
do $$ begin
  if to_regclass('pgboss.job') is not null then
    update pgboss.job set priority = -jobs.queue_tag from jobs
    where pgboss.job.id = jobs.queue_id and pgboss.job.state < 'active';
  end if;
end $$;

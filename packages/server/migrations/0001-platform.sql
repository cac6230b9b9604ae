-- Background work of every kind. What is done with a job, and its result, belongs to the feature of its type.
create table jobs (
  id uuid primary key,
  type text not null,
  user_id integer not null,
  track_id uuid not null,
  args jsonb not null,
  status text not null check (status in ('queued', 'downloading', 'processing', 'completed', 'failed')),
  progress integer not null default 0 check (progress between 0 and 100),
  message text not null default '',
  eta_seconds integer,
  error text,
  attempt integer not null default 0,
  max_attempts integer not null,
  -- Made anew for each attempt: only who holds it may change the row.
  lease_id uuid,
  -- The job's present place in the queue; null when it is finished.
  queue_id uuid,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null
);
create index jobs_of_track on jobs (track_id, type, created_at desc, id desc);
create index jobs_of_user on jobs (user_id, created_at desc, id desc);
create index jobs_unfinished on jobs (status) where finished_at is null;

-- Counts that may be lost in a crash: nothing is written ahead for them.
create unlogged table rate_limits (
  bucket text primary key,
  window_start bigint not null,
  count integer not null
);
create index rate_limits_age on rate_limits (window_start);

-- Bodies of messages between processes that do not fit into a notification.
create unlogged table bus_messages (
  id bigint generated always as identity primary key,
  body text not null,
  created_at timestamptz not null default now()
);

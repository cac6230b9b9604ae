-- Keys of users at the cloud separation service.
create table cloud_keys (
  id uuid primary key,
  user_id integer not null unique references users (id) on delete cascade,
  license_key sealed_text not null,
  hint text not null,
  created_at timestamptz not null
);

-- The service takes only so many questions a minute from each key, whichever process asks.
create table cloud_accounts (
  account text primary key,
  next_check_at timestamptz not null
);

-- Sound that lies at the service for a day, so that whoever takes up a job again does not send it twice.
create table cloud_uploads (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  audio_source_id uuid not null,
  is_preview boolean not null,
  account text not null,
  source_id text not null,
  gain double precision not null check (gain > 0),
  expires_at timestamptz not null,
  created_at timestamptz not null
);
create index cloud_uploads_of_sound on cloud_uploads (user_id, audio_source_id, created_at desc);

-- One row for each task, written before the service is asked for it: what is taken up again after a crash, and the ledger
-- of minutes. It outlives the job, the track and the user.
create table cloud_tasks (
  id uuid primary key,
  account text not null,
  user_id integer references users (id) on delete set null,
  upload_id uuid references cloud_uploads (id) on delete set null,
  job_id uuid references jobs (id) on delete set null,
  split text not null,
  stem_types text[] not null,
  minutes double precision not null check (minutes >= 0),
  task_id text,
  state text not null
    check (state in ('asking', 'running', 'done', 'failed', 'cancelling', 'cancelled', 'lost')),
  asked_at timestamptz not null,
  settled_at timestamptz,
  check (task_id is not null or state in ('asking', 'failed', 'lost', 'cancelled'))
);
create index cloud_tasks_of_account on cloud_tasks (account);
create index cloud_tasks_of_job on cloud_tasks (job_id) where job_id is not null;
create index cloud_tasks_of_upload on cloud_tasks (upload_id) where upload_id is not null;
create index cloud_tasks_of_user on cloud_tasks (user_id) where user_id is not null;
create index cloud_tasks_by_task on cloud_tasks (task_id) where task_id is not null;
create index cloud_tasks_cancelling on cloud_tasks (asked_at) where state = 'cancelling';

-- What became of a separation.
create table cloud_results (
  job_id uuid primary key references jobs (id) on delete cascade,
  residual_db double precision,
  warnings jsonb not null
);

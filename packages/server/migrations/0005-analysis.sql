create table analyses (
  job_id uuid primary key references jobs (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  result jsonb not null,
  created_at timestamptz not null
);
create index analyses_of_track on analyses (track_id, created_at desc);

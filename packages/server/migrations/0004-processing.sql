create table stems (
  id uuid primary key,
  track_id uuid not null references tracks (id) on delete cascade,
  processing_job_id uuid not null references jobs (id) on delete cascade,
  stem_type text not null,
  file_path text not null,
  file_size bigint not null,
  duration_ms bigint not null,
  sample_rate integer not null,
  channels integer not null,
  peak double precision not null,
  engine text not null check (engine in ('local', 'cloud')),
  model text not null,
  backend text not null,
  created_at timestamptz not null,
  unique (processing_job_id, stem_type)
);
create index stems_of_track on stems (track_id);

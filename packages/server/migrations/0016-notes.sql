-- Notes that were heard in a stem or in a whole song: the newest of each.
create table transcriptions (
  id uuid primary key,
  track_id uuid not null references tracks (id) on delete cascade,
  job_id uuid not null references jobs (id) on delete cascade,
  -- A stem's type, or `mix` for the whole song.
  source text not null,
  -- Null for the whole song, and when the stem is gone.
  stem_id uuid references stems (id) on delete set null,
  onset_threshold double precision not null check (onset_threshold between 0 and 1),
  frame_threshold double precision not null check (frame_threshold between 0 and 1),
  minimum_note_ms integer not null check (minimum_note_ms > 0),
  monophonic boolean not null,
  -- By their beginnings, each with its bends.
  notes jsonb not null,
  note_count integer not null check (note_count >= 0),
  created_at timestamptz not null,
  unique (track_id, source)
);
create index transcriptions_of_stem on transcriptions (stem_id);

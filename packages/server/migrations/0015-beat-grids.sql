-- Beat grids as their owners set them, beside what the analyses heard. An analysis that a grid goes by cannot go without
-- it; with their track both go, in whatever order, so that is looked at in the end.
create table beat_grids (
  track_id uuid primary key references tracks (id) on delete cascade,
  -- Grows with every change, so that a page that has not heard of one is told.
  version integer not null check (version >= 1),
  -- The step that holds; 0 for what was heard.
  place integer not null check (place >= 0),
  is_locked boolean not null,
  -- The analysis whose beats hold while the grid is locked and no step of its owner's holds.
  locked_job_id uuid references analyses (job_id) deferrable initially deferred,
  -- The sound that it was set for.
  audio_source_id uuid,
  edited_at timestamptz not null
);

-- What was done to a grid, in order: the way back and forth.
create table beat_grid_steps (
  track_id uuid not null references beat_grids (track_id) on delete cascade,
  place integer not null check (place >= 1),
  name text not null,
  -- The rule by which the beats are counted; null where it is what was heard.
  grid jsonb,
  -- The analysis whose beats a rule that follows them goes by. It stays, whatever is heard later.
  heard_job_id uuid references analyses (job_id) deferrable initially deferred,
  primary key (track_id, place)
);
create index beat_grid_steps_of_analysis on beat_grid_steps (heard_job_id) where heard_job_id is not null;
create index beat_grids_of_analysis on beat_grids (locked_job_id) where locked_job_id is not null;

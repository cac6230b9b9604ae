-- Places in tracks to jump to. What was found and deleted stays, with the time of its deletion, so that it is not found
-- again.
create table cue_points (
  id uuid primary key,
  track_id uuid not null references tracks (id) on delete cascade,
  kind text not null,
  label text not null,
  position_ms integer not null check (position_ms >= 0),
  -- From 1; null where the cue stands on no beat.
  beat integer check (beat >= 1),
  -- From 1; 0 before the first whole bar.
  bar integer check (bar >= 0),
  loop_beats integer check (loop_beats >= 1),
  color text not null check (color ~ '^#[0-9a-f]{6}$'),
  source text not null check (source in ('auto', 'manual')),
  rank integer check (rank >= 1),
  confidence double precision check (confidence between 0 and 1),
  -- Touched by its owner: kept when the others are placed anew.
  is_edited boolean not null,
  is_promoted boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz
);
create index cue_points_of_track on cue_points (track_id, position_ms);

-- When the cue points of a track were last placed, and why there are fewer than wanted.
create table cue_plans (
  track_id uuid primary key references tracks (id) on delete cascade,
  reason text,
  placed_at timestamptz not null
);

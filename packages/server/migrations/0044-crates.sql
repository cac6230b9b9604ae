-- Crates are named lists of tracks in an order that their user chooses. A smart crate is a search instead.
create table crates (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  name text not null,
  -- Search that finds the tracks of a smart crate; null for a list.
  query text,
  position integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index crates_of_user on crates (user_id, position);

create table crate_tracks (
  crate_id uuid not null references crates (id) on delete cascade,
  track_id uuid not null references tracks (id) on delete cascade,
  position integer not null,
  added_at timestamptz not null,
  primary key (crate_id, track_id)
);
create index crate_tracks_in_order on crate_tracks (crate_id, position);
create index crate_tracks_of_track on crate_tracks (track_id);

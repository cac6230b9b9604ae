-- Fields that a library is organised by.
alter table tracks
  add column year smallint check (year between 1000 and 9999),
  -- Stars; 0 for none.
  add column rating smallint not null default 0 check (rating between 0 and 5),
  add column comment text not null default '',
  add column play_count integer not null default 0,
  add column last_played_at timestamptz,
  -- Integrated loudness of the newest analysis.
  add column loudness_lufs double precision,
  -- Model of the default separation, `cloud` for one of the cloud engine; kept by a trigger.
  add column separation_model text;

update tracks set loudness_lufs = newest.loudness
from (
  select distinct on (track_id) track_id, (result ->> 'loudness_lufs')::double precision as loudness
  from analyses where jsonb_typeof(result -> 'loudness_lufs') = 'number' order by track_id, created_at desc
) newest
where newest.track_id = tracks.id;

create function set_separation_model() returns trigger language plpgsql as $$
begin
  new.separation_model := (
    select case when args ->> 'engine' = 'cloud' then 'cloud' else args ->> 'model' end
    from jobs where id = new.stems_job_id);
  return new;
end
$$;
create trigger tracks_separation_model before insert or update of stems_job_id on tracks
  for each row execute function set_separation_model();
update tracks set stems_job_id = stems_job_id where stems_job_id is not null;

create index tracks_by_genre_name on tracks (user_id, lower(genre), id) where deleted_at is null;
create index tracks_by_year on tracks (user_id, year, id) where deleted_at is null;
create index tracks_by_year_falling on tracks (user_id, year desc nulls last, id desc) where deleted_at is null;
create index tracks_by_rating on tracks (user_id, rating, id) where deleted_at is null;
create index tracks_by_play_count on tracks (user_id, play_count, id) where deleted_at is null;
create index tracks_by_last_played on tracks (user_id, last_played_at, id) where deleted_at is null;
create index tracks_by_last_played_falling on tracks (user_id, last_played_at desc nulls last, id desc)
  where deleted_at is null;

-- Plays of tracks, from which the history of played sets is made. A play outlives its track with its title.
create table plays (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  track_id uuid references tracks (id) on delete set null,
  title text not null,
  artist text not null,
  source text not null check (source in ('deck_a', 'deck_b', 'player')),
  played_at timestamptz not null
);
create index plays_of_user on plays (user_id, played_at desc, id desc);
create index plays_of_track on plays (track_id);

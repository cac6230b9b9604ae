-- What a list of tracks is searched and sorted by, kept beside what it is made of.

create function track_words(title text, artist text, album text, tags text[]) returns text
  language sql immutable parallel safe
  return lower(title || ' ' || artist || ' ' || album || ' ' || array_to_string(tags, ' '));

alter table tracks
  add column words text not null generated always as (track_words(title, artist, album, tags)) stored,
  -- An entry of an index has at most 2,700 bytes: names are put in order by their beginning.
  add column title_order text not null generated always as (left(lower(title), 200)) stored,
  add column artist_order text not null generated always as (left(lower(artist), 200)) stored;

-- Whole in the index, so that a page far down the list is found without reading the tracks before it.
create index tracks_by_title on tracks (user_id, title_order, id) where deleted_at is null;
create index tracks_by_artist on tracks (user_id, artist_order, id) where deleted_at is null;
create index tracks_by_key on tracks (user_id, key, id) where deleted_at is null;
create index tracks_by_duration on tracks (user_id, duration_ms, id) where deleted_at is null;
-- Two, because what has no tempo comes last either way.
create index tracks_by_bpm on tracks (user_id, bpm, id) where deleted_at is null;
create index tracks_by_bpm_falling on tracks (user_id, bpm desc nulls last, id desc) where deleted_at is null;
create index tracks_by_tag on tracks using gin (tags) where deleted_at is null;

-- Words inside of words are found by their trigrams where the database has them; without, a search reads the caller's
-- tracks one by one.
do $$
begin
  create extension if not exists pg_trgm;
  create index tracks_by_words on tracks using gin (words gin_trgm_ops) where deleted_at is null;
exception when others then
  raise notice 'pg_trgm is not there (%): searching large libraries takes longer', sqlerrm;
end
$$;

-- How many live tracks a user has is the sum of the changes. Nobody waits for anybody to write one, and the sweep adds
-- them up. No foreign key: a user who is deleted takes their tracks along, and those are changes too.
create table track_counts (
  user_id integer not null,
  change integer not null
);
create index track_counts_of_user on track_counts (user_id) include (change);

create function count_new_tracks() returns trigger language plpgsql as $$
begin
  insert into track_counts (user_id, change)
    select user_id, count(*) from new_tracks where deleted_at is null group by user_id;
  return null;
end
$$;
create trigger tracks_inserted after insert on tracks referencing new table as new_tracks
  for each statement execute function count_new_tracks();

create function count_gone_tracks() returns trigger language plpgsql as $$
begin
  insert into track_counts (user_id, change)
    select user_id, -count(*) from gone_tracks where deleted_at is null group by user_id;
  return null;
end
$$;
create trigger tracks_removed after delete on tracks referencing old table as gone_tracks
  for each statement execute function count_gone_tracks();

create function count_hidden_track() returns trigger language plpgsql as $$
begin
  insert into track_counts (user_id, change)
    values (new.user_id, case when new.deleted_at is null then 1 else -1 end);
  return null;
end
$$;
create trigger tracks_hidden after update of deleted_at on tracks
  for each row when ((old.deleted_at is null) is distinct from (new.deleted_at is null))
  execute function count_hidden_track();

insert into track_counts (user_id, change)
  select user_id, count(*) from tracks where deleted_at is null group by user_id;

-- What goes with a track is found by key and tempo at once, and all of a library is put in that order without reading
-- the tracks themselves.
create index tracks_by_key_and_bpm on tracks (user_id, key, bpm, id) where deleted_at is null;

-- Genres by parts of their words, where the database has trigrams.
do $$
begin
  create index tracks_by_genre on tracks using gin (lower(genre) gin_trgm_ops) where deleted_at is null;
exception when others then
  raise notice 'pg_trgm is not there (%): searching genres in large libraries takes longer', sqlerrm;
end
$$;

-- The work of the whole service: the newest of all, and what ended on the last day.
create index jobs_newest on jobs (created_at desc, id desc);
create index jobs_by_end on jobs (finished_at) where finished_at is not null;

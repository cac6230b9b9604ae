-- Quotas: what each user stores, what their waiting jobs will store, and how much they may.

-- Limits of one user. Null: the default of the settings. 0: no limit.
create table user_quotas (
  user_id integer primary key references users (id) on delete cascade,
  storage_bytes bigint check (storage_bytes >= 0),
  tracks integer check (tracks >= 0),
  queued_jobs integer check (queued_jobs >= 0),
  stem_sets integer check (stem_sets >= 0)
);

-- All files of a source except its renditions: the received file, what it was decoded to, waveform peaks, cover art.
alter table audio_sources add column stored_bytes bigint not null default 0 check (stored_bytes >= 0);
update audio_sources set stored_bytes = bytes;

-- What a job is expected to add to its user's storage. Counted while the job is unfinished.
alter table jobs add column expected_bytes bigint not null default 0 check (expected_bytes >= 0);
create index jobs_expected_of_user on jobs (user_id) include (expected_bytes, type) where finished_at is null;

-- What is charged for a track, deleted ones included until their files are removed. Audio that several users have is
-- charged to each of them in full, so that nobody's usage changes by what others delete.
create table track_storage (
  track_id uuid primary key references tracks (id) on delete cascade,
  user_id integer not null,
  sound_bytes bigint not null default 0 check (sound_bytes >= 0),
  stem_bytes bigint not null default 0 check (stem_bytes >= 0),
  stem_sets integer not null default 0 check (stem_sets >= 0)
);

-- What a user stores is the sum of these changes, as with track_counts: writers never wait for each other, and a
-- periodic task adds the rows up.
create table storage_changes (
  user_id integer not null,
  bytes bigint not null,
  stem_sets integer not null
);
create index storage_changes_of_user on storage_changes (user_id) include (bytes, stem_sets);

insert into track_storage (track_id, user_id, sound_bytes, stem_bytes, stem_sets)
  select tracks.id, tracks.user_id,
    coalesce(audio_sources.stored_bytes, 0) + coalesce(renditions.bytes, 0),
    coalesce(stored_stems.bytes, 0), coalesce(stored_stems.sets, 0)
  from tracks
  left join audio_sources on audio_sources.id = tracks.audio_source_id
  left join (select source_id, sum(file_size) as bytes from audio_renditions group by source_id) renditions
    on renditions.source_id = tracks.audio_source_id
  left join (
    select track_id, sum(file_size) as bytes, count(distinct processing_job_id) as sets from stems group by track_id
  ) stored_stems on stored_stems.track_id = tracks.id
  where tracks.audio_source_id is not null or stored_stems.track_id is not null;
insert into storage_changes (user_id, bytes, stem_sets)
  select user_id, sum(sound_bytes + stem_bytes), sum(stem_sets) from track_storage group by user_id;

create function note_new_storage() returns trigger language plpgsql as $$
begin
  insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, sum(sound_bytes + stem_bytes), sum(stem_sets) from new_storage group by user_id;
  return null;
end
$$;
create trigger track_storage_inserted after insert on track_storage referencing new table as new_storage
  for each statement execute function note_new_storage();

create function note_changed_storage() returns trigger language plpgsql as $$
begin
  insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, sum(bytes), sum(sets) from (
      select user_id, sound_bytes + stem_bytes as bytes, stem_sets as sets from new_storage
      union all
      select user_id, -sound_bytes - stem_bytes, -stem_sets from old_storage
    ) changes group by user_id having sum(bytes) <> 0 or sum(sets) <> 0;
  return null;
end
$$;
create trigger track_storage_updated after update on track_storage
  referencing old table as old_storage new table as new_storage
  for each statement execute function note_changed_storage();

create function note_gone_storage() returns trigger language plpgsql as $$
begin
  insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, -sum(sound_bytes + stem_bytes), -sum(stem_sets) from gone_storage group by user_id;
  return null;
end
$$;
create trigger track_storage_removed after delete on track_storage referencing old table as gone_storage
  for each statement execute function note_gone_storage();

-- The audio of a track: its source, and every rendition that there is of it at this moment.
create function charge_sound() returns trigger language plpgsql as $$
begin
  insert into track_storage (track_id, user_id, sound_bytes)
    select new.id, new.user_id, stored_bytes + coalesce(
      (select sum(file_size) from audio_renditions where source_id = new.audio_source_id), 0)
    from audio_sources where id = new.audio_source_id
  on conflict (track_id) do update set sound_bytes = excluded.sound_bytes;
  return null;
end
$$;
create trigger tracks_sound_charged after update of audio_source_id, quality on tracks
  for each row when (new.audio_source_id is not null) execute function charge_sound();

create function charge_new_sound() returns trigger language plpgsql as $$
begin
  insert into track_storage (track_id, user_id, sound_bytes)
    select new_tracks.id, user_id, stored_bytes + coalesce(
      (select sum(file_size) from audio_renditions where source_id = audio_sources.id), 0)
    from new_tracks join audio_sources on audio_sources.id = new_tracks.audio_source_id;
  return null;
end
$$;
create trigger tracks_inserted_with_sound after insert on tracks referencing new table as new_tracks
  for each statement execute function charge_new_sound();

-- The track's row is locked before its storage row, as by a download that completes: the other order is a deadlock.
create function charge_new_stems() returns trigger language plpgsql as $$
begin
  perform from tracks where id in (select track_id from new_stems) order by id for no key update;
  insert into track_storage (track_id, user_id, stem_bytes, stem_sets)
    select tracks.id, tracks.user_id, sum(new_stems.file_size), count(distinct new_stems.processing_job_id)
    from new_stems join tracks on tracks.id = new_stems.track_id group by tracks.id
  on conflict (track_id) do update set
    stem_bytes = track_storage.stem_bytes + excluded.stem_bytes,
    stem_sets = track_storage.stem_sets + excluded.stem_sets;
  return null;
end
$$;
create trigger stems_charged after insert on stems referencing new table as new_stems
  for each statement execute function charge_new_stems();

-- Of a track that goes with its stems there is no row left to change, or it goes next: either way the sum is right.
create function discharge_stems() returns trigger language plpgsql as $$
begin
  update track_storage set
    stem_bytes = greatest(0, stem_bytes - gone.bytes), stem_sets = greatest(0, track_storage.stem_sets - gone.sets)
  from (
    select track_id, sum(file_size) as bytes, count(distinct processing_job_id) as sets from gone_stems group by track_id
  ) gone where track_storage.track_id = gone.track_id;
  return null;
end
$$;
create trigger stems_discharged after delete on stems referencing old table as gone_stems
  for each statement execute function discharge_stems();

-- What a user's deleted tracks still hold.
create index tracks_deleted_of_user on tracks (user_id, deleted_at) where deleted_at is not null;

-- Space on the disk that running work is going to fill. A row counts until `until`, which its process keeps moving, and
-- only while its job has the same lease: a dead process reserves nothing for long.
create table disk_reservations (
  id uuid primary key,
  -- Null: an upload or an export, not a job.
  job_id uuid references jobs (id) on delete cascade,
  lease_id uuid,
  -- Whose storage an upload under way will count for; null for what is not stored.
  user_id integer,
  bytes bigint not null check (bytes >= 0),
  until timestamptz not null
);
create index disk_reservations_of_job on disk_reservations (job_id) where job_id is not null;

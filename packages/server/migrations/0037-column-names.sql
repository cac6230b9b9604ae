-- Tables, columns, indexes, functions and triggers get the field's terms. No row changes, except the name of one split.

-- The file that the audio is read from: the received one, or what it was decoded to.
alter table audio_sources rename column sound_path to audio_path;

-- Folders whose rows were deleted, until their files are removed.
alter table doomed_folders rename to folders_to_delete;
alter index doomed_folders_pkey rename to folders_to_delete_pkey;

-- Replies stored by idempotency key.
alter table first_answers rename to idempotent_replies;
alter index first_answers_pkey rename to idempotent_replies_pkey;
alter index first_answers_by_age rename to idempotent_replies_by_age;
alter table idempotent_replies rename constraint first_answers_user_id_fkey to idempotent_replies_user_id_fkey;

-- The text that a library is searched by. Its index exists only where the database has trigrams.
alter function track_words(text, text, text, text[]) rename to track_search_text;
alter table tracks rename column words to search_text;
alter index if exists tracks_by_words rename to tracks_by_search_text;

-- Position in the history of a beat grid (0: as detected), and the analysis that a grid follows.
alter table beat_grids rename column place to step_index;
alter table beat_grids rename constraint beat_grids_place_check to beat_grids_step_index_check;
alter table beat_grid_steps rename column place to step_index;
alter table beat_grid_steps rename constraint beat_grid_steps_place_check to beat_grid_steps_step_index_check;
alter table beat_grid_steps rename column heard_job_id to detected_job_id;
alter table beat_grid_steps
  rename constraint beat_grid_steps_heard_job_id_fkey to beat_grid_steps_detected_job_id_fkey;

-- Times of the last tempo and position messages of each deck.
alter table deck_sessions rename column paces to accept_times;

alter index cloud_uploads_of_sound rename to cloud_uploads_of_audio;
update cloud_tasks set split = 'lead_and_backing' where split = 'voices';

-- Bytes of a track's audio that count for its user's storage.
alter table track_storage rename column sound_bytes to audio_bytes;
alter table track_storage rename constraint track_storage_sound_bytes_check to track_storage_audio_bytes_check;
alter function note_new_storage() rename to record_new_storage;
alter function note_changed_storage() rename to record_changed_storage;
alter function note_gone_storage() rename to record_deleted_storage;
alter function charge_sound() rename to charge_audio;
alter function charge_new_sound() rename to charge_new_audio;
alter trigger tracks_sound_charged on tracks rename to tracks_audio_charged;
alter trigger tracks_inserted_with_sound on tracks rename to tracks_inserted_with_audio;

-- The bodies of these functions name the column.
create or replace function record_new_storage() returns trigger language plpgsql as $$
begin
  insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, sum(audio_bytes + stem_bytes), sum(stem_sets) from new_storage group by user_id;
  return null;
end
$$;

create or replace function record_changed_storage() returns trigger language plpgsql as $$
begin
  insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, sum(bytes), sum(sets) from (
      select user_id, audio_bytes + stem_bytes as bytes, stem_sets as sets from new_storage
      union all
      select user_id, -audio_bytes - stem_bytes, -stem_sets from old_storage
    ) changes group by user_id having sum(bytes) <> 0 or sum(sets) <> 0;
  return null;
end
$$;

create or replace function record_deleted_storage() returns trigger language plpgsql as $$
begin
  insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, -sum(audio_bytes + stem_bytes), -sum(stem_sets) from gone_storage group by user_id;
  return null;
end
$$;

create or replace function charge_audio() returns trigger language plpgsql as $$
begin
  insert into track_storage (track_id, user_id, audio_bytes)
    select new.id, new.user_id, stored_bytes + coalesce(
      (select sum(file_size) from audio_renditions where source_id = new.audio_source_id), 0)
    from audio_sources where id = new.audio_source_id
  on conflict (track_id) do update set audio_bytes = excluded.audio_bytes;
  return null;
end
$$;

create or replace function charge_new_audio() returns trigger language plpgsql as $$
begin
  insert into track_storage (track_id, user_id, audio_bytes)
    select new_tracks.id, user_id, stored_bytes + coalesce(
      (select sum(file_size) from audio_renditions where source_id = audio_sources.id), 0)
    from new_tracks join audio_sources on audio_sources.id = new_tracks.audio_source_id;
  return null;
end
$$;

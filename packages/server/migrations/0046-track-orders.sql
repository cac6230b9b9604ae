-- Orders of the library list that are not the order of a text.

-- Position on the Camelot wheel: 2 for 1A (A flat minor), 3 for 1B (B major), 4 for 2A, up to 25 for 12B; 0 without a key.
create function camelot_order(key text) returns smallint
  language sql immutable parallel safe
  return case key
    when 'G# minor' then 2 when 'B major' then 3
    when 'D# minor' then 4 when 'F# major' then 5
    when 'A# minor' then 6 when 'C# major' then 7
    when 'F minor' then 8 when 'G# major' then 9
    when 'C minor' then 10 when 'D# major' then 11
    when 'G minor' then 12 when 'A# major' then 13
    when 'D minor' then 14 when 'F major' then 15
    when 'A minor' then 16 when 'C major' then 17
    when 'E minor' then 18 when 'G major' then 19
    when 'B minor' then 20 when 'D major' then 21
    when 'F# minor' then 22 when 'A major' then 23
    when 'C# minor' then 24 when 'E major' then 25
    else 0 end;

alter table tracks
  add column key_order smallint not null generated always as (camelot_order(key)) stored,
  -- As for titles, the beginning fits an entry of an index.
  add column album_order text not null generated always as (left(lower(album), 200)) stored;

-- Searches by key use tracks_by_key_and_bpm.
drop index tracks_by_key;
create index tracks_by_key_order on tracks (user_id, key_order, id) where deleted_at is null;
create index tracks_by_album on tracks (user_id, album_order, id) where deleted_at is null;
-- Two for each, because tracks without a value come last in both directions.
create index tracks_by_loudness on tracks (user_id, loudness_lufs, id) where deleted_at is null;
create index tracks_by_loudness_falling on tracks (user_id, loudness_lufs desc nulls last, id desc)
  where deleted_at is null;
create index tracks_by_model on tracks (user_id, separation_model, id) where deleted_at is null;
create index tracks_by_model_falling on tracks (user_id, separation_model desc nulls last, id desc)
  where deleted_at is null;

-- Results of several analyses of the same audio are merged by feature, so each one states the audio it read. No
-- foreign key: the result remains when that audio is deleted, and then belongs to no later one.
alter table analyses add column audio_source_id uuid;
update analyses set audio_source_id = tracks.audio_source_id from tracks where tracks.id = analyses.track_id;

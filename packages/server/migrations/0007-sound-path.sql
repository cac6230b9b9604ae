-- Where the sound of a source is read from: the received file, or what another program decoded it to.
alter table audio_sources add column sound_path text;
update audio_sources set sound_path = received_path;
alter table audio_sources alter column sound_path set not null;

-- From here on this column holds the format that stands in the way; whether it does is decided anew each time.
update catalog_files set unusable = null, modified_ms = -1 where unusable is not null;

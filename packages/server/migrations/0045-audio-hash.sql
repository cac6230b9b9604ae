-- Hash of the decoded samples, by which audio is recognised under other tags or in another lossless format. Null for
-- audio received before.
alter table audio_sources add column audio_hash text;
create index audio_sources_by_hash on audio_sources (audio_hash) where audio_hash is not null;

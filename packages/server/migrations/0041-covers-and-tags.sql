-- Covers of catalog tracks are shown from the files of their audio, so that they survive a missing catalog.
update tracks set album_art_url = '/files/' || audio_sources.cover_path
from audio_sources
where audio_sources.id = tracks.audio_source_id and audio_sources.cover_path is not null
  and tracks.album_art_url like '/catalog/covers/%';

-- A tag is stored once; the first spelling is kept where only the case differs.
update tracks set tags = (
  select array_agg(tag order by position) from (
    select distinct on (lower(tag)) tag, position
    from unnest(tracks.tags) with ordinality as every (tag, position)
    order by lower(tag), position) kept)
where cardinality(tags) > (select count(distinct lower(tag)) from unnest(tags) as tag);

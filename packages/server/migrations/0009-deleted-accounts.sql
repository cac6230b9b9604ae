-- Folders below the uploads directory of which the rows are gone: written in the transaction that removes the rows, so
-- that no crash leaves sound behind that nobody owns.
create table doomed_folders (
  path text primary key,
  created_at timestamptz not null
);

-- A job that goes looks for the tracks that play its stems: without this, each looks through all tracks.
create index tracks_of_stems_job on tracks (stems_job_id) where stems_job_id is not null;

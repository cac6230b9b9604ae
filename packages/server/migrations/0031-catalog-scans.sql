-- Why the tags of a file were not read; it is not tried again until its size or time changes. Null: they were read.
alter table catalog_files add column problem text;

-- The last scan of the catalog folder, or the one under way. One row.
create table catalog_scans (
  id integer primary key check (id = 1),
  -- Audio files and playlists found so far.
  found integer not null,
  -- How many of them are new or have changed, and how many of those have been read.
  changed integer not null,
  read integer not null,
  -- How many of them could not be read.
  failed integer not null,
  started_at timestamptz not null,
  -- When the process that scans last said so; a scan that is silent for long has been interrupted.
  seen_at timestamptz not null,
  finished_at timestamptz,
  -- Why it ended early, in words; null when it did not.
  error text
);

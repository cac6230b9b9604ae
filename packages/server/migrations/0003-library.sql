-- The library: what a user owns (tracks) above what the disk holds (audio sources and their renditions).

-- Sound as it was received, once however many users have it.
create table audio_sources (
  id uuid primary key,
  -- 'catalog:<catalog id>:<sha-256 of the bytes>' or 'upload:<sha-256 of the bytes>'
  source_key text not null unique,
  codec text not null,
  bitrate integer,
  sample_rate integer not null,
  channels integer not null,
  bits_per_sample integer,
  bytes bigint not null,
  duration_ms bigint not null,
  received_path text not null,
  peaks_path text not null,
  cover_path text,
  warnings jsonb not null default '[]',
  created_at timestamptz not null
);

-- The same sound in an asked quality.
create table audio_renditions (
  source_id uuid not null references audio_sources (id) on delete cascade,
  quality text not null check (quality in ('lossless', 'high', 'medium', 'low')),
  file_path text not null,
  file_size bigint not null,
  created_at timestamptz not null,
  primary key (source_id, quality)
);

create table tracks (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  source text not null check (source in ('catalog', 'upload')),
  catalog_id text,
  title text not null,
  artist text not null,
  album text not null,
  album_art_url text,
  catalog_url text,
  genre text not null,
  isrc text,
  explicit boolean not null,
  duration_ms bigint not null,
  bpm double precision,
  key text not null,
  -- True once the user has said it: an analysis never overwrites that.
  bpm_edited boolean not null default false,
  key_edited boolean not null default false,
  tags text[] not null default '{}',
  audio_source_id uuid references audio_sources (id),
  quality text check (quality in ('lossless', 'high', 'medium', 'low')),
  -- The newest completed full separation.
  stems_job_id uuid references jobs (id) on delete set null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  unique (user_id, catalog_id)
);

create index tracks_of_user on tracks (user_id, created_at desc, id desc) where deleted_at is null;
create index tracks_deleted on tracks (deleted_at) where deleted_at is not null;
create index tracks_of_source on tracks (audio_source_id);

-- What the folder catalog found on its last walk, so that a restart does not read every file again.
create table catalog_files (
  catalog_id text primary key,
  path text not null unique,
  bytes bigint not null,
  modified_ms bigint not null,
  title text not null,
  artist text not null,
  album text not null,
  album_id text,
  disc_number integer not null,
  track_number integer not null,
  genre text not null,
  isrc text,
  duration_ms bigint not null,
  has_cover boolean not null,
  -- Why it cannot be imported, or null when it can.
  unusable text
);
create index catalog_files_of_album on catalog_files (album_id);

create table catalog_playlists (
  playlist_id text primary key,
  path text not null unique,
  bytes bigint not null,
  modified_ms bigint not null,
  title text not null,
  -- Paths below the catalog folder in the playlist's order; entries that lead elsewhere keep their text.
  entries jsonb not null
);

alter table jobs add constraint jobs_of_track foreign key (track_id) references tracks (id) on delete cascade;
alter table jobs add constraint jobs_of_user foreign key (user_id) references users (id) on delete cascade;

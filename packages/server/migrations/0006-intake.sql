-- What the download tool found for a track by searching, kept so that its owner may pick another one.
create table source_candidates (
  track_id uuid not null references tracks (id) on delete cascade,
  -- Made of the address: the same source found twice is one candidate.
  id text not null,
  position integer not null,
  url text not null,
  title text not null,
  channel text not null,
  -- Null where the search does not say.
  duration_ms bigint,
  -- How long the track was when it was searched for; 0 where its catalog does not say.
  wanted_ms bigint not null,
  score double precision not null,
  -- The one whose sound the track has, or is getting.
  is_chosen boolean not null default false,
  found_at timestamptz not null,
  primary key (track_id, id)
);

-- An album or a playlist on its way into a library: many downloads with one progress and one cancel.
create table imports (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  type text not null check (type in ('album', 'playlist')),
  title text not null,
  -- Downloads that belong to it. What was in the library before is not among them.
  total integer not null,
  completed integer not null default 0,
  failed integer not null default 0,
  created_at timestamptz not null,
  cancelled_at timestamptz,
  finished_at timestamptz
);
create index imports_of_user on imports (user_id, created_at desc);
create index imports_unfinished on imports (created_at) where finished_at is null;

alter table jobs add column batch_id uuid;
create index jobs_of_batch on jobs (batch_id) where batch_id is not null;

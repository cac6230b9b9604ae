-- Projects of the editor: edits of the stems of a track, each with a log of operations.
create table projects (
  id uuid primary key,
  track_id uuid not null references tracks (id) on delete cascade,
  name text not null,
  -- Separation whose stems it edits. No reference, because a project outlives its stems.
  job_id uuid not null,
  -- Operations in the log, and how many of them are applied.
  operations integer not null check (operations >= 0),
  position integer not null check (position between 0 and operations),
  -- Rises with every change of the log or the position.
  version integer not null check (version >= 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index projects_of_track on projects (track_id, updated_at desc);

create table edit_operations (
  project_id uuid not null references projects (id) on delete cascade,
  -- Given by the window that sent it.
  id uuid not null,
  -- Number in the log, from 1; null once it was dropped from it. The id stays for a day, so that it is not added again.
  number integer check (number > 0),
  -- Kind and parameters.
  edit jsonb not null,
  applied_at timestamptz not null,
  dropped_at timestamptz,
  primary key (project_id, id),
  unique (project_id, number),
  check ((number is null) = (dropped_at is not null))
);

-- The state of a project after some of its operations; number 0 is the state without any.
create table project_snapshots (
  project_id uuid not null references projects (id) on delete cascade,
  number integer not null check (number >= 0),
  state jsonb not null,
  primary key (project_id, number)
);

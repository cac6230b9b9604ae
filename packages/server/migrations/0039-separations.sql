-- A track keeps the separations of several models. One row per completed separation: what made it, and whether its
-- stems are deleted, so that a completed job without stems is distinguished from one that has lost them.

create table separations (
  job_id uuid primary key references jobs (id) on delete cascade,
  -- Name of the network that made the stems; null for methods without one.
  network text,
  -- When the stems were deleted; null while they exist.
  deleted_at timestamptz
);

insert into separations (job_id, deleted_at)
select id, case when exists (select from stems where processing_job_id = jobs.id) then null else now() end
from jobs where type = 'processing' and status = 'completed';

-- An import is one transaction now: none is left behind half asked for, and nobody looks for such.
update imports set finished_at = now(), total = completed + failed
  where finished_at is null and not exists (
    select 1 from jobs where jobs.batch_id = imports.id and jobs.finished_at is null
  );
drop index imports_unfinished;

-- What waits and runs for a user, among however many jobs that are over.
create index jobs_unfinished_of_user on jobs (user_id, created_at desc, id desc) where finished_at is null;

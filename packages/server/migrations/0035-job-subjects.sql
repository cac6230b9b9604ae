-- What a job is about becomes a kind and an id, or nothing at all: see docs/decisions/0270-subjects-of-jobs.md.
-- The feature that owns a kind of subject deletes its jobs, so that no foreign key stands here any more.
alter table jobs drop constraint jobs_of_track;
alter table jobs rename column track_id to subject_id;
alter table jobs alter column subject_id drop not null;
-- A constant default is written once for all rows, so that no row of a large table is touched.
alter table jobs add column subject_kind text default 'track';
alter table jobs alter column subject_kind drop default;
alter table jobs add constraint jobs_subject_is_whole check ((subject_kind is null) = (subject_id is null));

drop index jobs_of_track;
create index jobs_of_subject on jobs (subject_kind, subject_id, type, created_at desc, id desc)
  where subject_id is not null;

-- Whoever asks the cloud service to end a task says until when, and holds no row meanwhile.
alter table cloud_tasks add column cancel_claimed_until timestamptz;

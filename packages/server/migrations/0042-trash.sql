-- The trash of a user is listed by the time of deletion, the newest first.
create index tracks_in_trash on tracks (user_id, deleted_at desc, id desc) where deleted_at is not null;

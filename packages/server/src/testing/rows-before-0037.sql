-- Rows of a database before migration 0037, by the names of that time.
insert into users (id, email, created_at) overriding system value values (1, 'old@example.org', now());
insert into audio_sources (id, source_key, codec, sample_rate, channels, bytes, duration_ms, received_path, sound_path,
    peaks_path, created_at, stored_bytes)
  values ('00000000-0000-7000-8000-000000000001', 'upload:a', 'wma', 44100, 2, 5, 1000, 'downloads/a/received',
    'downloads/a/decoded.flac', 'downloads/a/peaks.bin', now(), 700);
insert into tracks (id, user_id, source, title, artist, album, genre, explicit, duration_ms, key, audio_source_id,
    created_at, updated_at)
  values ('00000000-0000-7000-8000-000000000002', 1, 'upload', 'An old track', 'Somebody', '', '', false, 1000, '',
    '00000000-0000-7000-8000-000000000001', now(), now());
insert into jobs (id, type, user_id, subject_kind, subject_id, args, status, progress, attempt, max_attempts,
    created_at, updated_at)
  values ('00000000-0000-7000-8000-000000000003', 'analysis', 1, 'track', '00000000-0000-7000-8000-000000000002', '{}',
    'completed', 100, 1, 3, now(), now());
insert into analyses (job_id, track_id, result, created_at)
  values ('00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000002', '{}', now());
insert into beat_grids (track_id, version, place, is_locked, edited_at)
  values ('00000000-0000-7000-8000-000000000002', 3, 2, false, now());
insert into beat_grid_steps (track_id, place, name, heard_job_id)
  values ('00000000-0000-7000-8000-000000000002', 1, 'shift_ms', null),
    ('00000000-0000-7000-8000-000000000002', 2, 'multiply', '00000000-0000-7000-8000-000000000003');
insert into doomed_folders (path, created_at) values ('downloads/b', now());
insert into first_answers (user_id, endpoint, key, fingerprint, claim_id, claimed_until, created_at)
  values (1, 'POST /api/tracks', 'k', 'f', '00000000-0000-7000-8000-000000000004', now(), now());
insert into login_sessions (id, user_id, created_at, last_seen_at, expires_at) values ('login', 1, now(), now(), now());
insert into deck_sessions (id, login_session_id, user_id, state, version, taken, paces, created_at, updated_at)
  values ('00000000-0000-7000-8000-000000000005', 'login', 1, '{}', 1, '[]', '{"a": 1}', now(), now());
insert into cloud_tasks (id, account, user_id, split, stem_types, minutes, state, asked_at)
  values ('00000000-0000-7000-8000-000000000006', 'own:1', 1, 'voices', '{vocals,backing_vocals}', 1, 'asking', now());

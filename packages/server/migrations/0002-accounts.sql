-- Accounts: who may come in, by which door, and what was decided about them.

create table users (
  id integer generated always as identity primary key,
  -- Trimmed and lower case before it comes here, so that one address is one account.
  email text not null unique check (email = lower(email) and length(email) between 3 and 160),
  -- argon2id in PHC form; never leaves this table.
  password_hash text not null,
  role text not null default 'user' check (role in ('user', 'admin', 'platform_admin')),
  status text not null default 'active' check (status in ('active', 'deactivated')),
  created_at timestamptz not null,
  last_active_at timestamptz
);

create table login_sessions (
  -- SHA-256 (hex) of the cookie's token: who reads this table cannot come in with it.
  id text primary key,
  user_id integer not null references users (id) on delete cascade,
  user_agent text not null default '',
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null
);
create index login_sessions_of_user on login_sessions (user_id);
create index login_sessions_by_expiry on login_sessions (expires_at);

create table api_keys (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  name text not null check (length(name) between 1 and 100),
  -- SHA-256 (hex) of the whole key.
  key_hash text not null unique,
  -- The first characters, so that a person can tell keys apart.
  prefix text not null,
  created_at timestamptz not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_of_user on api_keys (user_id, created_at desc);

-- One-time set-up links. All are void as soon as there is a platform admin.
create table setup_tokens (
  token_hash text primary key,
  created_at timestamptz not null
);

-- What was decided about accounts. No foreign keys: an entry outlives whom it names.
create table audit_log (
  id bigint generated always as identity primary key,
  action text not null,
  -- Who did it; null for the service itself and its command line.
  actor_user_id integer,
  -- Whom it was done to; null where it was not a user.
  target_user_id integer,
  details jsonb not null,
  created_at timestamptz not null default now()
);
create index audit_log_by_time on audit_log (created_at desc, id desc);
create index audit_log_of_target on audit_log (target_user_id, created_at desc);

create function audit_log_is_append_only() returns trigger language plpgsql as $$
begin
  raise exception 'audit_log is append-only: % is not allowed', tg_op using errcode = 'insufficient_privilege';
end
$$;

-- Per statement, so that even one that would touch no row is refused; always, so that a replication role, which
-- switches ordinary triggers off, is refused too. Privileges could not do this: they do not bind the owner.
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function audit_log_is_append_only();
alter table audit_log enable always trigger audit_log_append_only;

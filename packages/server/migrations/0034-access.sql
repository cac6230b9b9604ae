-- What API keys may do, failed log-ins, and cookies that change their names.

-- Null: everything that the key's user may do, as every key could that was made before there were scopes.
alter table api_keys add column scopes text[] check (cardinality(scopes) > 0);

-- Wrong passwords for an account since its last log-in with the right one, by the network they came from.
create table failed_log_ins (
  user_id integer not null references users (id) on delete cascade,
  -- An IPv4 address, a network of 64 bits of IPv6, or "other networks" when an account has too many.
  network text not null,
  attempts integer not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (user_id, network)
);
create index failed_log_ins_by_time on failed_log_ins (last_at);

-- What the account page tells its user after a log-in: the failures before it.
create table log_in_notices (
  login_session_id text primary key references login_sessions (id) on delete cascade,
  attempts integer not null,
  networks integer not null,
  last_network text not null,
  first_at timestamptz not null,
  last_at timestamptz not null
);

-- Under https the login cookie is named __Host-…; logins that began before that may still come under the plain name.
alter table login_sessions add column may_use_plain_cookie boolean not null default true;
alter table login_sessions alter column may_use_plain_cookie set default false;

-- The decks of a login session: they go with it. An account's go with its logins.
create table deck_sessions (
  id uuid primary key,
  login_session_id text not null unique references login_sessions (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  -- Both decks and the mixer. Bounded by what the contract allows; this is far above it.
  state jsonb not null check (octet_length(state::text) <= 65536),
  version integer not null check (version >= 0),
  -- Pairs of a window and the number of the last message taken from it, the window last heard at the end.
  taken jsonb not null,
  -- Of each deck, when a tempo and a reported place were last taken, in milliseconds since 1970.
  paces jsonb not null,
  -- Until when what happens is told to the debug log; null for never.
  debug_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index deck_sessions_of_user on deck_sessions (user_id);
create index deck_sessions_by_change on deck_sessions (updated_at);

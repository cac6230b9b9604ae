-- Secrets of users at rest, and logging in by an account at the web catalog.

-- A secret as the database may hold it: the id of the key it is encrypted with, a nonce, and the encrypted text with its
-- tag. A column of this type stands in a table with `id` and `user_id`, which the text is tied to; that it is one is all
-- that a change of keys needs to find it, and plain text is refused.
create domain sealed_text as text
  check (value ~ '^v1\.[0-9a-f]{8}\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{22,}$');

-- Null: the user has no password, and comes in by the catalog only.
alter table users alter column password_hash drop not null;

-- Accounts at the web catalog, each linked with one user by its own id there; an email address never links anything.
create table catalog_accounts (
  id uuid primary key,
  user_id integer not null unique references users (id) on delete cascade,
  account_id text not null unique check (length(account_id) between 1 and 200),
  display_name text not null,
  access_token sealed_text not null,
  access_expires_at timestamptz not null,
  refresh_token sealed_text,
  -- The catalog gives no more tokens until its owner signs in there again.
  needs_sign_in boolean not null default false,
  linked_at timestamptz not null
);

-- Browsers that have been sent to the catalog and have not come back. A row is used up by who comes back.
create table catalog_attempts (
  -- SHA-256 (hex) of what the browser's cookie holds.
  id text primary key,
  -- The login that wants to be linked; null where somebody wants to log in.
  linking_session_id text references login_sessions (id) on delete cascade,
  expires_at timestamptz not null
);
create index catalog_attempts_by_expiry on catalog_attempts (expires_at);
create index catalog_attempts_of_session on catalog_attempts (linking_session_id) where linking_session_id is not null;

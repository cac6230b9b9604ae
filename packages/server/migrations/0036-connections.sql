-- One table for the accounts and keys of users at other services, instead of one for each service.

create table connections (
  id uuid primary key,
  user_id integer not null references users (id) on delete cascade,
  kind text not null check (kind in ('web_catalog', 'cloud_separation')),
  -- The account's own id at the service, where the connection was made by signing in there; it is linked with one user.
  account_id text check (length(account_id) between 1 and 200),
  -- What the user sees of it: the name of the account, or the last characters of the key.
  label text not null,
  -- An access token or a key.
  secret sealed_text not null,
  -- When an access token expires; null for a key.
  expires_at timestamptz,
  -- What a new access token is requested with.
  refresh_token sealed_text,
  -- The service gives no more tokens until its owner signs in there again.
  needs_sign_in boolean not null default false,
  connected_at timestamptz not null,
  unique (user_id, kind),
  unique (kind, account_id)
);

-- Secrets are bound to table and column. Those that are moved here open by their earlier ones as well, until they are
-- encrypted again (platform/crypto/earlier-places.ts).
insert into connections
  (id, user_id, kind, account_id, label, secret, expires_at, refresh_token, needs_sign_in, connected_at)
select id, user_id, 'web_catalog', account_id, display_name, access_token, access_expires_at, refresh_token,
  needs_sign_in, linked_at
from catalog_accounts;

insert into connections (id, user_id, kind, label, secret, connected_at)
select id, user_id, 'cloud_separation', hint, license_key, created_at
from cloud_keys;

drop table catalog_accounts;
drop table cloud_keys;

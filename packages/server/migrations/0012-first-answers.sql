-- What was answered to requests that carry an Idempotency-Key, so that the same request again gets the same answer.
create table first_answers (
  user_id integer not null references users (id) on delete cascade,
  -- Method and path: the same key at another endpoint is another one.
  endpoint text not null,
  key text not null,
  -- SHA-256 (hex) of what was asked.
  fingerprint text not null,
  -- Who answers it, and until when nobody else may: a process that dies does not say so.
  claim_id uuid not null,
  claimed_until timestamptz not null,
  -- Null while the first request is under way.
  status integer,
  body text,
  created_at timestamptz not null,
  primary key (user_id, endpoint, key)
);
create index first_answers_by_age on first_answers (created_at);

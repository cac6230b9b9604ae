import type { Role } from '@stem-studio/contract/roles';
import type { ApiScope } from '@stem-studio/contract/scopes';
import type { ColumnType, Generated } from 'kysely';
import type { Json, MaybeMoment, Moment } from './column-types.ts';

/** Who may come in. */
export interface UsersTable {
  id: Generated<number>;
  /** Trimmed and lower case. */
  email: string;
  /** argon2id in PHC form; null for who comes in by the catalog only. */
  password_hash: ColumnType<string | null, string | null | undefined, string | null>;
  role: Generated<Role>;
  status: Generated<'active' | 'deactivated'>;
  created_at: Moment;
  /** Written at most once a minute. */
  last_active_at: MaybeMoment;
}

/** Browsers that are logged in. */
export interface LoginSessionsTable {
  /** SHA-256 (hex) of the cookie's token. */
  id: string;
  user_id: number;
  user_agent: string;
  created_at: Moment;
  last_seen_at: Moment;
  expires_at: Moment;
  /** Whether the cookie may come under its plain name over https: the login began before it had another. */
  may_use_plain_cookie: Generated<boolean>;
}

/** Bearer tokens. */
export interface ApiKeysTable {
  id: string;
  user_id: number;
  name: string;
  /** SHA-256 (hex) of the key, which itself is nowhere. */
  key_hash: string;
  /** The first characters of the key, to tell keys apart by. */
  prefix: string;
  created_at: Moment;
  expires_at: MaybeMoment;
  last_used_at: MaybeMoment;
  revoked_at: MaybeMoment;
  /** Null for keys without limits, which were made before there were scopes. */
  scopes: ColumnType<ApiScope[] | null, ApiScope[] | null | undefined, never>;
}

/** Wrong passwords for an account since its last successful log-in, by network. */
export interface FailedLogInsTable {
  user_id: number;
  network: string;
  attempts: number;
  first_at: Moment;
  last_at: Moment;
}

/** Failed log-ins before a successful one. */
export interface LogInNoticesTable {
  login_session_id: string;
  attempts: number;
  networks: number;
  last_network: string;
  first_at: Moment;
  last_at: Moment;
}

/** One-time set-up links. */
export interface SetupTokensTable {
  token_hash: string;
  created_at: Moment;
}

/** Rows can be inserted, and nothing else: the database refuses. */
export interface AuditLogTable {
  id: Generated<number>;
  action: string;
  actor_user_id: number | null;
  target_user_id: number | null;
  details: Json<Record<string, unknown>>;
  /** The time of the transaction it was written in. */
  created_at: Generated<Date>;
}

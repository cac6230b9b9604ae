import type { ApiScope } from '@stem-studio/contract/scopes';
import type { ColumnType, Generated } from 'kysely';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

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

/** Browsers on their way to the web catalog and back. */
export interface CatalogAttemptsTable {
  /** SHA-256 (hex) of what the browser's cookie holds. */
  id: string;
  /** The login that wants to be linked; null where somebody wants to log in. */
  linking_session_id: string | null;
  expires_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    login_sessions: LoginSessionsTable;
    api_keys: ApiKeysTable;
    failed_log_ins: FailedLogInsTable;
    log_in_notices: LogInNoticesTable;
    setup_tokens: SetupTokensTable;
    catalog_attempts: CatalogAttemptsTable;
  }
}

import type { ApiScope } from '@stem-studio/contract/scopes';
import type { ColumnType, Generated } from 'kysely';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Table of login sessions, one row per logged-in browser. */
export interface LoginSessionsTable {
  /** SHA-256 (hex) of the cookie's token. */
  id: string;
  user_id: number;
  user_agent: string;
  created_at: Moment;
  last_seen_at: Moment;
  expires_at: Moment;
  /**
   * Whether the cookie may use its plain name over https, for logins that began before the `__Host-` prefix existed.
   */
  may_use_plain_cookie: Generated<boolean>;
}

/** Table of API keys, which are bearer tokens. */
export interface ApiKeysTable {
  id: string;
  user_id: number;
  name: string;
  /** SHA-256 (hex) of the key; the key itself is not stored. */
  key_hash: string;
  /** First characters of the key, by which its user can identify it. */
  prefix: string;
  created_at: Moment;
  expires_at: MaybeMoment;
  last_used_at: MaybeMoment;
  revoked_at: MaybeMoment;
  /** Null for keys without limits, created before scopes existed. */
  scopes: ColumnType<ApiScope[] | null, ApiScope[] | null | undefined, never>;
}

/** Wrong passwords for an account since its last successful log-in, grouped by network. */
export interface FailedLogInsTable {
  user_id: number;
  network: string;
  attempts: number;
  first_at: Moment;
  last_at: Moment;
}

/** Failed log-ins that preceded a successful one. */
export interface LogInNoticesTable {
  login_session_id: string;
  attempts: number;
  networks: number;
  last_network: string;
  first_at: Moment;
  last_at: Moment;
}

/** Table of one-time set-up links. */
export interface SetupTokensTable {
  token_hash: string;
  created_at: Moment;
}

/** Pending log-ins by the web catalog (OAuth authorization requests). */
export interface CatalogAttemptsTable {
  /** SHA-256 (hex) of the token in the browser's cookie. */
  id: string;
  /** Login session to be linked; null for a log-in. */
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

import type { ColumnType, Generated } from 'kysely';
import type { SealedText } from '../../platform/crypto/sealed-text.ts';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Service with which a user can be connected. */
export type ConnectionKind = 'web_catalog' | 'cloud_separation';

/** Accounts and keys of users at other services, at most one of each kind. */
export interface ConnectionsTable {
  id: string;
  user_id: number;
  kind: ConnectionKind;
  /** The account's own id at the service; null for a key. */
  account_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** What the user sees: the name of the account, or the last characters of the key. */
  label: string;
  /** An access token or a key. */
  secret: SealedText;
  /** When an access token expires; null for a key. */
  expires_at: MaybeMoment;
  refresh_token: ColumnType<SealedText | null, SealedText | null | undefined, SealedText | null>;
  /** The service gives no more tokens until its owner signs in there again. */
  needs_sign_in: Generated<boolean>;
  connected_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    connections: ConnectionsTable;
  }
}

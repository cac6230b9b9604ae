import type { ColumnType, Generated } from 'kysely';
import type { SealedText } from '../../platform/crypto/sealed-text.ts';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Kind of service to which a user can be connected. */
export type ConnectionKind = 'web_catalog' | 'cloud_separation';

/** Table of accounts and keys of users at other services, at most one of each kind. */
export interface ConnectionsTable {
  id: string;
  user_id: number;
  kind: ConnectionKind;
  /** Id of the account at the service; null for a key. */
  account_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Text shown to the user: the name of the account, or the last characters of the key. */
  label: string;
  /** Encrypted access token or key. */
  secret: SealedText;
  /** Expiry of an access token; null for a key. */
  expires_at: MaybeMoment;
  refresh_token: ColumnType<SealedText | null, SealedText | null | undefined, SealedText | null>;
  /** Whether the service refuses new tokens until the user signs in there again. */
  needs_sign_in: Generated<boolean>;
  connected_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    connections: ConnectionsTable;
  }
}

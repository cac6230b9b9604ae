import type { Role } from '@stem-studio/contract/roles';
import type { ColumnType, Generated } from 'kysely';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Table of users. */
export interface UsersTable {
  id: Generated<number>;
  /** Email address, trimmed and lower case. */
  email: string;
  /** argon2id in PHC form; null for users who only log in by the catalog. */
  password_hash: ColumnType<string | null, string | null | undefined, string | null>;
  role: Generated<Role>;
  status: Generated<'active' | 'deactivated'>;
  created_at: Moment;
  /** Time of last activity, written at most once a minute. */
  last_active_at: MaybeMoment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    users: UsersTable;
  }
}

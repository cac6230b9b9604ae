import type { NeededScope } from '@stem-studio/contract/scopes';
import type { AccessName } from './access.ts';
import type { Belongings } from './belongings.ts';

/** What a call of a role's row asks, beside who asks it. */
export interface Asked {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form does. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Sent as a file of a form. */
  readonly file?: Uint8Array;
}

/** A row of the table: who may call, and how a thing of the owner's is made that is called for. */
export interface RoleRow {
  readonly access: AccessName;
  /** What an API key needs; of an endpoint of the contract it stands there. */
  readonly scope?: NeededScope;
  /** What those get who may; where it differs, nobody in particular and browsers that are logged in. */
  readonly status: number | { readonly nobody: number; readonly browser: number };
  /** What of the owner's it is about. Absent: nothing of anybody's in particular. */
  readonly thing?: string;
  readonly make?: (belongings: Belongings) => Promise<Asked> | Asked;
}

import type { NeededScope } from '@stem-studio/contract/scopes';
import type { FormPart } from '../library-steps.ts';
import type { AccessName } from './access.ts';
import type { Belongings } from './belongings.ts';

/** Input of a call, without the credentials. */
export interface Asked {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Body sent as JSON. */
  readonly body?: unknown;
  /** Fields sent as a form. */
  readonly fields?: Readonly<Record<string, string>>;
  /** File sent in a multipart form. */
  readonly file?: Uint8Array;
  /** Parts of a multipart form. */
  readonly parts?: readonly FormPart[];
}

/** A row of the table: the required access, and how to create the requested record of the owner. */
export interface RoleRow {
  readonly access: AccessName;
  /** Scope that an API key needs; for an endpoint of the contract, the contract defines it. */
  readonly scope?: NeededScope;
  /** Status of permitted calls; where it differs, by anonymous callers and logged-in browsers. */
  readonly status: number | { readonly nobody: number; readonly browser: number };
  /** Record of the owner that the call is about. Absent: no particular record. */
  readonly thing?: string;
  readonly make?: (belongings: Belongings) => Promise<Asked> | Asked;
}

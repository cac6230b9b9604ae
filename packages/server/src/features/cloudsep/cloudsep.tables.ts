import type { SealedText } from '../../platform/crypto/sealed-text.ts';
import type { Moment } from '../../platform/db/column-types.ts';

/** Keys of users at the cloud separation service. */
export interface CloudKeysTable {
  id: string;
  user_id: number;
  license_key: SealedText;
  /** The last characters of the key, to tell keys apart by. */
  hint: string;
  created_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    cloud_keys: CloudKeysTable;
  }
}

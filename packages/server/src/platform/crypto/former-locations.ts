import type { SecretLocation } from './sealed-text.ts';

/**
 * Former columns of secrets whose rows were moved by a migration, by current column. A secret is bound to its column
 * when it is encrypted, and a migration cannot encrypt.
 */
const formerColumns: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  'connections.secret': [
    ['catalog_accounts', 'access_token'],
    ['cloud_keys', 'license_key'],
  ],
  'connections.refresh_token': [['catalog_accounts', 'refresh_token']],
};

/** Returns the former columns for which the secret of a row may have been encrypted; mostly none. */
export function formerLocations(location: SecretLocation): SecretLocation[] {
  const columns = formerColumns[`${location.table}.${location.column}`] ?? [];
  return columns.map(([table, column]) => ({ ...location, table, column }));
}

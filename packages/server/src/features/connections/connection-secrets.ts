import type { Context } from '../../platform/context.ts';
import type { SealedText, SecretLocation } from '../../platform/crypto/sealed-text.ts';
import type { SecretText } from '../../platform/crypto/secret-text.ts';
import type { ConnectionRow } from './connections.store.ts';

type Owner = Pick<ConnectionRow, 'id' | 'user_id'>;

function locationOf({ id, user_id }: Owner, column: 'secret' | 'refresh_token'): SecretLocation {
  return { table: 'connections', column, id, userId: user_id };
}

/** Encrypts the access token or key of a connection. */
export function sealSecret({ secrets }: Context, owner: Owner, secret: SecretText): SealedText {
  return secrets.seal(secret, locationOf(owner, 'secret'));
}

/** Encrypts the refresh token of a connection. */
export function sealRefreshToken({ secrets }: Context, owner: Owner, token: SecretText): SealedText {
  return secrets.seal(token, locationOf(owner, 'refresh_token'));
}

/** Decrypts the access token or key of a connection. Throws `SealedTextError` if its encryption key is missing. */
export function openSecret({ secrets }: Context, row: ConnectionRow): SecretText {
  return secrets.open(row.secret, locationOf(row, 'secret'));
}

/**
 * Decrypts the refresh token of a connection; null if it has none. Throws `SealedTextError` as {@link openSecret}.
 */
export function openRefreshToken({ secrets }: Context, row: ConnectionRow): SecretText | null {
  return row.refresh_token === null
    ? null
    : secrets.open(row.refresh_token, locationOf(row, 'refresh_token'));
}

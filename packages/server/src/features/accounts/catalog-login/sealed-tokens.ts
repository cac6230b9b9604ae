import type { Context } from '../../../platform/context.ts';
import type { SealedPlace } from '../../../platform/crypto/sealed-text.ts';
import type { SecretText } from '../../../platform/crypto/secret-text.ts';
import type { CatalogAccountRow } from './catalog-accounts.store.ts';
import type { PersonTokens } from './catalog-oauth.client.ts';

type Owner = Pick<CatalogAccountRow, 'id' | 'user_id'>;

function placeOf({ id, user_id }: Owner, column: 'access_token' | 'refresh_token'): SealedPlace {
  return { table: 'catalog_accounts', column, id, userId: user_id };
}

/** New tokens as a link's row holds them. A refresh token that was not given anew stays as it is. */
export function sealTokens(context: Context, owner: Owner, tokens: PersonTokens) {
  const { secrets, clock } = context;
  const { accessToken, refreshToken, livesSeconds } = tokens;
  return {
    access_token: secrets.seal(accessToken, placeOf(owner, 'access_token')),
    access_expires_at: new Date(clock.now().getTime() + livesSeconds * 1000),
    needs_sign_in: false,
    ...(refreshToken && { refresh_token: secrets.seal(refreshToken, placeOf(owner, 'refresh_token')) }),
  };
}

/** The access token of a link. Throws `SealedTextError` when its key is not here. */
export function openAccessToken({ secrets }: Context, row: CatalogAccountRow): SecretText {
  return secrets.open(row.access_token, placeOf(row, 'access_token'));
}

/** The refresh token of a link, or null. Throws `SealedTextError` when its key is not here. */
export function openRefreshToken({ secrets }: Context, row: CatalogAccountRow): SecretText | null {
  return row.refresh_token === null ? null : secrets.open(row.refresh_token, placeOf(row, 'refresh_token'));
}

import type { Context } from '../../../platform/context.ts';
import { type ConnectionRow, sealRefreshToken, sealSecret } from '../../connections/index.ts';
import type { PersonTokens } from './catalog-oauth.client.ts';

/** Encrypts new tokens into the columns of a connection. Without a new refresh token, the stored one is kept. */
export function sealTokens(
  context: Context,
  owner: Pick<ConnectionRow, 'id' | 'user_id'>,
  { accessToken, refreshToken, livesSeconds }: PersonTokens,
) {
  return {
    secret: sealSecret(context, owner, accessToken),
    expires_at: new Date(context.clock.now().getTime() + livesSeconds * 1000),
    needs_sign_in: false,
    ...(refreshToken && { refresh_token: sealRefreshToken(context, owner, refreshToken) }),
  };
}

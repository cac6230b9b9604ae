import type { Context } from '../../../platform/context.ts';
import { SealedTextError } from '../../../platform/crypto/sealed-text.ts';
import type { SecretText } from '../../../platform/crypto/secret-text.ts';
import { failure, ServiceError } from '../../../platform/errors.ts';
import {
  type ConnectionRow,
  type ConnectionTest,
  findConnection,
  lockConnection,
  openRefreshToken,
  openSecret,
  updateConnection,
} from '../../connections/index.ts';
import { hasCatalogLogin } from './catalog-address.ts';
import { catalogOAuthOf } from './catalog-login.service.ts';
import { CatalogLoginError } from './catalog-login-error.ts';
import { sealTokens } from './sealed-tokens.ts';

/** Remaining lifetime below which a token is refreshed before use, in ms. */
const refreshBeforeMs = 60_000;

/** Refreshes under way in this process by user, so that concurrent callers share one request. */
const underWay = new WeakMap<Context, Map<number, Promise<SecretText | null>>>();

/**
 * Returns an access token of the user for the catalog, refreshed if it is about to expire. Null if no account is
 * linked or the user must sign in there again.
 *
 * @param refused token that the catalog has just refused and that must be replaced
 * @throws ServiceError `catalog_error` if the catalog cannot be reached to refresh it
 */
export async function userCatalogToken(
  context: Context,
  userId: number,
  refused: SecretText | null = null,
): Promise<SecretText | null> {
  if (!hasCatalogLogin(context.config)) return null;
  const row = await findConnection(context.db, userId, 'web_catalog');
  if (!row || row.needs_sign_in) return null;
  try {
    const token = usableToken(context, row, refused);
    return token ?? (await refreshOnce(context, userId, refused));
  } catch (error) {
    if (!(error instanceof SealedTextError)) throw error;
    context.log.warn({ user_id: userId }, error.message);
    return null;
  }
}

/** Returns the stored token unless it is about to expire or was refused. */
function usableToken(context: Context, row: ConnectionRow, refused: SecretText | null) {
  const leftMs = (row.expires_at?.getTime() ?? 0) - context.clock.now().getTime();
  if (leftMs < refreshBeforeMs) return null;
  const token = openSecret(context, row);
  return token.reveal() === refused?.reveal() ? null : token;
}

function refreshOnce(
  context: Context,
  userId: number,
  refused: SecretText | null,
): Promise<SecretText | null> {
  const refreshes = underWay.get(context) ?? new Map<number, Promise<SecretText | null>>();
  underWay.set(context, refreshes);
  const running = refreshes.get(userId);
  if (running) return running;
  const started = refresh(context, userId, refused).finally(() => refreshes.delete(userId));
  refreshes.set(userId, started);
  return started;
}

/** Refreshes the token under a row lock; other processes wait for it and then read the new token. */
function refresh(context: Context, userId: number, refused: SecretText | null): Promise<SecretText | null> {
  return context.db.transaction().execute(async (tx) => {
    const row = await lockConnection(tx, userId, 'web_catalog');
    if (!row || row.needs_sign_in) return null;
    const meanwhile = usableToken(context, row, refused);
    if (meanwhile) return meanwhile;
    const refreshToken = openRefreshToken(context, row);
    try {
      const tokens = refreshToken && (await catalogOAuthOf(context).refresh(refreshToken));
      if (tokens) {
        await updateConnection(tx, row.id, sealTokens(context, row, tokens));
        return tokens.accessToken;
      }
    } catch (error) {
      if (!(error instanceof CatalogLoginError)) throw error;
      if (error.reason !== 'void') throw failure('catalog_error', error.message);
    }
    await updateConnection(tx, row.id, { needs_sign_in: true });
    return null;
  });
}

/** Fetches the profile of the user's linked catalog account with their token, to test the connection. */
export async function testCatalogAccount(context: Context, userId: number): Promise<ConnectionTest> {
  if (!(await findConnection(context.db, userId, 'web_catalog'))) return 'none';
  try {
    const token = await userCatalogToken(context, userId);
    if (!token) return 'refused';
    await catalogOAuthOf(context).profileOf(token);
    return 'works';
  } catch (error) {
    if (error instanceof ServiceError) return 'unreachable';
    if (!(error instanceof CatalogLoginError)) throw error;
    return error.reason === 'away' ? 'unreachable' : 'refused';
  }
}

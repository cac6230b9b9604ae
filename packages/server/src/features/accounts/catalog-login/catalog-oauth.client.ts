import * as oauth from 'oauth4webapi';
import { z } from 'zod';
import type { Config } from '../../../platform/config.ts';
import { SecretText } from '../../../platform/crypto/secret-text.ts';
import { readLimited } from '../../../platform/http/read-limited.ts';
import { CatalogLoginError } from './catalog-login-error.ts';

/** Addresses and credentials of the catalog's OAuth client. */
export interface CatalogOAuthOptions {
  readonly webCatalog: Config['webCatalog'];
  readonly redirectUri: string;
  /** Reply timeout in ms; 10 s by default. */
  readonly replyTimeoutMs?: number;
}

/** OAuth tokens of a user. */
export interface PersonTokens {
  readonly accessToken: SecretText;
  /** Null if the catalog keeps the previous refresh token. */
  readonly refreshToken: SecretText | null;
  readonly livesSeconds: number;
}

/** Identity of a user at the catalog. Its email address is not read, because it is not verified. */
export interface CatalogProfile {
  readonly accountId: string;
  readonly displayName: string;
}

/** OAuth client of the catalog. All methods throw {@link CatalogLoginError}. */
export interface CatalogOAuth {
  /** Returns the authorization address to redirect the browser to. */
  authorizeUrl(of: { state: string; verifier: string; asksAnew: boolean }): Promise<string>;
  /** Validates the parameters of the callback against the state of the request. */
  readReturn(query: URLSearchParams, state: string): URLSearchParams;
  /** Exchanges the code returned by {@link CatalogOAuth.readReturn} for tokens. */
  exchange(answer: URLSearchParams, verifier: string): Promise<PersonTokens>;
  refresh(refreshToken: SecretText): Promise<PersonTokens>;
  profileOf(accessToken: SecretText): Promise<CatalogProfile>;
}

/** Requested OAuth scopes: reading playlists, no personal data. */
const scope = 'playlist-read-private playlist-read-collaborative';
const replyTimeoutMs = 10_000;
const longestReplyBytes = 200_000;
const longestToken = 4096;
/** Assumed lifetime of a token without `expires_in`, in s; a token used longer is refreshed when it is refused. */
const usualLifeSeconds = 3600;
/** Maximum accepted lifetime of a token: one day, in s. */
const longestLifeSeconds = 86_400;

const profileReply = z.object({
  id: z.string().min(1).max(200),
  display_name: z.string().max(300).nullish(),
});

/** Creates the catalog's OAuth client by RFC 6749 with PKCE (RFC 7636). */
export function createCatalogOAuth(options: CatalogOAuthOptions): CatalogOAuth {
  const { webCatalog, redirectUri } = options;
  const client: oauth.Client = { client_id: webCatalog.clientId ?? '' };
  const authentication = oauth.ClientSecretBasic(webCatalog.clientSecret ?? '');
  const server: oauth.AuthorizationServer = {
    issuer: new URL(webCatalog.authorizeUrl).origin,
    authorization_endpoint: webCatalog.authorizeUrl,
    token_endpoint: webCatalog.tokenUrl,
  };
  const timeoutMs = options.replyTimeoutMs ?? replyTimeoutMs;
  const request = {
    [oauth.customFetch]: (url: string, init: RequestInit) => send(url, init, timeoutMs),
    // A catalog on the loopback address has no certificate; an http address is the operator's own decision.
    [oauth.allowInsecureRequests]: webCatalog.tokenUrl.startsWith('http:'),
  };

  const tokensIn = (reply: oauth.TokenEndpointResponse): PersonTokens => {
    const { access_token, refresh_token, expires_in } = reply;
    if (access_token.length > longestToken || (refresh_token?.length ?? 0) > longestToken)
      throw notUnderstood();
    return {
      accessToken: new SecretText(access_token),
      refreshToken: refresh_token === undefined ? null : new SecretText(refresh_token),
      livesSeconds: Math.min(expires_in ?? usualLifeSeconds, longestLifeSeconds),
    };
  };

  return {
    async authorizeUrl({ state, verifier, asksAnew }) {
      const url = new URL(webCatalog.authorizeUrl);
      const asked = {
        response_type: 'code',
        client_id: client.client_id,
        scope,
        redirect_uri: redirectUri,
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(asksAnew && { show_dialog: 'true' }),
      };
      for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
      return url.href;
    },
    readReturn: (query, state) => {
      try {
        const answer = oauth.validateAuthResponse(server, client, query, state);
        if (answer.has('code')) return answer;
      } catch (error) {
        if (error instanceof oauth.AuthorizationResponseError) throw toLoginError(error);
      }
      throw new CatalogLoginError('void', 'This login was started in another browser.');
    },
    exchange: (answer, verifier) =>
      understood(async () => {
        const reply = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          answer,
          redirectUri,
          verifier,
          request,
        );
        return tokensIn(await oauth.processAuthorizationCodeResponse(server, client, reply));
      }),
    refresh: (refreshToken) =>
      understood(async () => {
        const token = refreshToken.reveal();
        const reply = await oauth.refreshTokenGrantRequest(server, client, authentication, token, request);
        return tokensIn(await oauth.processRefreshTokenResponse(server, client, reply));
      }),
    profileOf: (accessToken) =>
      understood(async () => {
        const headers = { authorization: `Bearer ${accessToken.reveal()}`, accept: 'application/json' };
        const reply = await send(`${webCatalog.apiUrl}/me`, { headers }, timeoutMs);
        if (reply.status === 403) {
          throw new CatalogLoginError(
            'refused',
            'The catalog accepts only people whom its developer page lists (403). Ask the operator of this studio to add you there.',
          );
        }
        if (reply.status !== 200) throw new CatalogLoginError('away', statusSentence(reply.status));
        const profile = profileReply.safeParse(await reply.json());
        if (!profile.success) throw notUnderstood();
        const { id, display_name } = profile.data;
        const displayName = (display_name ?? '').replace(/\p{Cc}+/gu, ' ').trim();
        return { accountId: id, displayName: displayName.slice(0, 100) || id };
      }),
  };
}

/** Sends one request without following redirects, and reads the reply up to its size limit. */
async function send(url: string, init: RequestInit, timeoutMs: number): Promise<Response> {
  try {
    const reply = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    const body = await readLimited(reply, longestReplyBytes);
    const isEmpty = body.length === 0;
    return new Response(isEmpty ? null : Buffer.from(body), { status: reply.status, headers: reply.headers });
  } catch (error) {
    const isSlow = (error as Error).name === 'TimeoutError';
    const why = isSlow ? `did not answer within ${timeoutMs / 1000} s` : 'cannot be reached';
    throw new CatalogLoginError('away', `The catalog ${why}. Try again later.`);
  }
}

async function understood<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toLoginError(error);
  }
}

function notUnderstood(): CatalogLoginError {
  return new CatalogLoginError('away', 'The catalog sent an unexpected reply. Try again later.');
}

function statusSentence(status: number): string {
  return `The catalog answered ${status}. Try again later.`;
}

/** Maps protocol errors to their kind only, because they carry received data such as tokens. */
function toLoginError(error: unknown): CatalogLoginError {
  if (error instanceof CatalogLoginError) return error;
  if (error instanceof oauth.AuthorizationResponseError) {
    if (error.error === 'access_denied')
      return new CatalogLoginError('denied', 'You did not allow access at the catalog. Nothing was changed.');
    return new CatalogLoginError('refused', `The catalog refused the login (${wordIn(error.error)}).`);
  }
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.WWWAuthenticateChallengeError) {
    const word = error instanceof oauth.ResponseBodyError ? wordIn(error.error) : 'invalid_client';
    if (word === 'invalid_grant') {
      return new CatalogLoginError('void', 'The catalog no longer accepts this login. Start again.');
    }
    return new CatalogLoginError(
      'refused',
      `The catalog does not accept this studio (${word}). The operator must check CATALOG_CLIENT_ID, CATALOG_CLIENT_SECRET and the redirect address on the catalog's developer page.`,
    );
  }
  return notUnderstood();
}

/** Returns an error code if it has the standard's syntax; other text is not repeated. */
function wordIn(error: string): string {
  return /^[a-z_]{1,40}$/.test(error) ? error : 'unknown error';
}

import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { escapeHtml } from '../../platform/http/html.ts';

/** A person with an account at the stand-in. */
export interface StandInPerson {
  readonly id: string;
  readonly display_name: string;
  readonly email: string;
}

/** People with an account at the stand-in. Nadia's email address is unverified, so it proves nothing. */
export const standInPeople = {
  kestrel: { id: 'kestrelrow', display_name: 'Kestrel Row', email: 'kestrel@example.org' },
  nadia: { id: '31xyznadia', display_name: 'Nadia <Voss>', email: 'ada@example.org' },
} as const satisfies Record<string, StandInPerson>;

/** A key of {@link standInPeople}. */
export type PersonName = keyof typeof standInPeople;

/** Owner of a request's token: the application or a person. */
export type Bearer = 'application' | StandInPerson;

/** Settings and records of people's tokens, for tests. */
export interface StandInTokens {
  /** Lifetime of the next tokens, in seconds. */
  lifeSeconds: number;
  /** Whether a refresh returns a new refresh token and revokes the old one. */
  givesNewRefreshToken: boolean;
  /** All codes, access and refresh tokens issued to people so far. */
  readonly given: string[];
  /** Grant types, in the order of the requests. */
  readonly grants: string[];
  /** Revokes all tokens of a person, as if they withdrew their permission. */
  revoke(person: PersonName): void;
  /** Expires the access tokens of all people; refresh tokens stay valid. */
  expireAccessTokens(): void;
}

interface Code {
  readonly person: StandInPerson;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly scope: string;
  isUsed: boolean;
}

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The authorization part of the stand-in: authorization page, token endpoint, bearer tokens. */
export interface StandInAuthorization {
  readonly tokens: StandInTokens;
  /** Handles requests to the authorization page and the token endpoint; returns false for others. */
  handle(request: IncomingMessage, response: ServerResponse, url: URL): Promise<boolean>;
  /** Returns the owner of a bearer token; null for an invalid or expired one. */
  bearerOf(header: string | undefined): Bearer | null;
  expireApplicationTokens(): void;
}

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return new URLSearchParams(body);
}

function give(response: ServerResponse, status: number, body: unknown): true {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(body));
  return true;
}

/** Allows loopback addresses by number only, as the real catalog does. */
function isAllowedRedirect(uri: string): boolean {
  return URL.canParse(uri) && /^(https:\/\/|http:\/\/127\.0\.0\.1[:/])/.test(uri);
}

/** Creates the authorization part without issued tokens. */
export function createStandInAuthorization({ clientId, clientSecret }: Client): StandInAuthorization {
  const codes = new Map<string, Code>();
  const access = new Map<string, StandInPerson>();
  const refresh = new Map<string, { person: StandInPerson; scope: string }>();
  let count = 0;
  let applicationTokens = 0;
  let firstValid = 1;
  const tokens: StandInTokens = {
    lifeSeconds: 3600,
    givesNewRefreshToken: false,
    given: [],
    grants: [],
    revoke: (person) => revoke(standInPeople[person]),
    expireAccessTokens: () => access.clear(),
  };

  function revoke(person: StandInPerson): void {
    for (const [token, owner] of access) if (owner.id === person.id) access.delete(token);
    for (const [token, owner] of refresh) if (owner.person.id === person.id) refresh.delete(token);
  }

  function make(kind: string): string {
    count += 1;
    const token = `${kind}-${createHash('sha256').update(`${kind}${count}`).digest('base64url')}`;
    tokens.given.push(token);
    return token;
  }

  function giveTokens(response: ServerResponse, person: StandInPerson, scope: string, refreshToken?: string) {
    const accessToken = make('BQ');
    access.set(accessToken, person);
    return give(response, 200, {
      access_token: accessToken,
      token_type: 'Bearer',
      expires_in: tokens.lifeSeconds,
      scope,
      ...(refreshToken && { refresh_token: refreshToken }),
    });
  }

  function authorizePage(response: ServerResponse, url: URL): true {
    const asked = url.searchParams;
    const wrong =
      asked.get('client_id') !== clientId
        ? 'INVALID_CLIENT: Invalid client'
        : !isAllowedRedirect(asked.get('redirect_uri') ?? '')
          ? 'INVALID_CLIENT: Insecure redirect URI'
          : asked.get('response_type') !== 'code' || asked.get('code_challenge_method') !== 'S256'
            ? 'response_type must be code, code_challenge_method S256'
            : null;
    response.writeHead(wrong ? 400 : 200, { 'content-type': 'text/html; charset=utf-8' });
    if (wrong) {
      response.end(`<!doctype html><title>Stand-in catalog</title><p>${wrong}`);
      return true;
    }
    const buttons = Object.entries(standInPeople).map(
      ([name, person]) =>
        `<p><button name="answer" value="${name}">Allow as ${escapeHtml(person.display_name)}</button></p>`,
    );
    response.end(`<!doctype html><html lang="en"><meta charset="utf-8"><title>Stand-in catalog</title>
<h1>Stand-in catalog</h1><p>Stem Studio asks for: ${escapeHtml(asked.get('scope') ?? '')}</p>
<form method="post" action="/authorize${escapeHtml(url.search)}">${buttons.join('')}
<p><button name="answer" value="deny">Deny</button></p></form></html>`);
    return true;
  }

  async function decide(request: IncomingMessage, response: ServerResponse, url: URL): Promise<true> {
    const asked = url.searchParams;
    const answer = (await formOf(request)).get('answer') ?? '';
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (answer in standInPeople) {
      const code = make('AQ');
      codes.set(code, {
        person: standInPeople[answer as PersonName],
        challenge: asked.get('code_challenge') ?? '',
        redirectUri: asked.get('redirect_uri') ?? '',
        scope: asked.get('scope') ?? '',
        isUsed: false,
      });
      back.searchParams.set('code', code);
    } else {
      back.searchParams.set('error', 'access_denied');
    }
    response.writeHead(303, { location: back.href });
    response.end();
    return true;
  }

  /**
   * Checks the client credentials. RFC 6749 form-encodes id and secret inside Basic; for the stand-in's values
   * unencoded credentials are identical.
   */
  function isOurClient(header: string | undefined): boolean {
    const [, basic = ''] = /^Basic (.+)$/.exec(header ?? '') ?? [];
    const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
    return decodeURIComponent(id) === clientId && decodeURIComponent(secret) === clientSecret;
  }

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<true> {
    const form = await formOf(request);
    if (!isOurClient(request.headers.authorization)) return give(response, 400, { error: 'invalid_client' });
    const grant = form.get('grant_type') ?? '';
    tokens.grants.push(grant);
    if (grant === 'client_credentials') {
      applicationTokens += 1;
      const access_token = `token-${applicationTokens}`;
      return give(response, 200, { access_token, token_type: 'Bearer', expires_in: 3600 });
    }
    if (grant === 'authorization_code') {
      const code = codes.get(form.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (code?.isUsed) revoke(code.person);
      if (!code || code.isUsed || code.redirectUri !== form.get('redirect_uri'))
        return give(response, 400, {
          error: 'invalid_grant',
          error_description: 'Invalid authorization code',
        });
      code.isUsed = true;
      if (code.challenge !== challenge)
        return give(response, 400, {
          error: 'invalid_grant',
          error_description: 'code_verifier was incorrect',
        });
      const refreshToken = make('AR');
      refresh.set(refreshToken, { person: code.person, scope: code.scope });
      return giveTokens(response, code.person, code.scope, refreshToken);
    }
    const old = form.get('refresh_token') ?? '';
    const owner = grant === 'refresh_token' ? refresh.get(old) : undefined;
    if (grant !== 'refresh_token') return give(response, 400, { error: 'unsupported_grant_type' });
    if (!owner)
      return give(response, 400, { error: 'invalid_grant', error_description: 'Refresh token revoked' });
    if (!tokens.givesNewRefreshToken) return giveTokens(response, owner.person, owner.scope);
    const next = make('AR');
    refresh.delete(old);
    refresh.set(next, owner);
    return giveTokens(response, owner.person, owner.scope, next);
  }

  return {
    tokens,
    expireApplicationTokens: () => {
      firstValid = applicationTokens + 1;
    },
    async handle(request, response, url) {
      if (url.pathname === '/api/token') return giveToken(request, response);
      if (url.pathname !== '/authorize') return false;
      return request.method === 'POST' ? decide(request, response, url) : authorizePage(response, url);
    },
    bearerOf(header) {
      const [, token = ''] = /^Bearer (.+)$/.exec(header ?? '') ?? [];
      const [, number] = /^token-(\d+)$/.exec(token) ?? [];
      if (number) return Number(number) >= firstValid ? 'application' : null;
      return access.get(token) ?? null;
    },
  };
}

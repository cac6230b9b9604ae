import { z } from 'zod';
import { type Clock, pause } from '../../../platform/clock.ts';
import { failure, isRetryable, messageOf, RetryableError } from '../../../platform/errors.ts';
import { readLimited } from '../../../platform/http/read-limited.ts';
import { CatalogForbiddenError, type PersonToken } from './person-token.ts';

/** Addresses and credentials of the web catalog. */
export interface CatalogClientOptions {
  /** Without a trailing slash. */
  readonly apiUrl: string;
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
}

/** One request to the catalog. */
export interface Ask<T> {
  /** Path below the API's address, or a full address returned by the API itself (`next`). */
  readonly target: string;
  readonly schema: z.ZodType<T>;
  /** Error message for a 403. */
  readonly forbidden?: string;
  /** Sends the request with this user's token instead of the application's. */
  readonly person?: PersonToken | undefined;
  /** Deadline of the whole operation, on the monotonic clock; retries wait no longer. */
  readonly deadlineMs: number;
}

/** Client of the web catalog's API. */
export interface CatalogClient {
  /**
   * Returns the parsed reply; null where the catalog has no such item.
   *
   * @throws `catalog_error` or `unauthorized`
   */
  ask<T>(question: Ask<T>): Promise<T | null>;
  /** Returns whether an address belongs to the API; others are never requested. */
  isOwnAddress(target: string): boolean;
  /** Returns the deadline of an operation that begins now. */
  deadline(): number;
}

/** Seconds for which a token is used; it is valid for 3600 s. */
const tokenSeconds = 3500;
/** Time limit of one reply, in ms. */
const replyTimeoutMs = 10_000;
/** Time limit of all requests for one link, in ms. */
const lookUpMs = 60_000;
/** A longer requested pause than this is reported as an error instead of waited for. */
const longestRetryAfterSeconds = 20;
/** Larger than any page of 50 entries. */
const longestReplyBytes = 8_000_000;
const attempts = 3;

const tokenReply = z.object({ access_token: z.string().min(1).max(4096) });

/** Creates a client of one application. Concurrent requests share one token, which is renewed after 3500 s or a 401. */
export function createCatalogClient(options: CatalogClientOptions): CatalogClient {
  const { clock } = options;
  let token: { readonly value: Promise<string>; readonly fromMs: number } | undefined;

  async function requestToken(): Promise<string> {
    const basic = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
    const reply = await send(options.tokenUrl, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    if ([400, 401, 403].includes(reply.status)) {
      throw failure(
        'unauthorized',
        `the web catalog does not accept the credentials of this studio (it answered ${reply.status}): check CATALOG_CLIENT_ID and CATALOG_CLIENT_SECRET`,
      );
    }
    if (reply.status >= 500) throw new RetryableError(unexpected(reply.status).message);
    if (reply.status !== 200) throw unexpected(reply.status);
    return parse(reply.body, tokenReply).access_token;
  }

  function currentToken(): Promise<string> {
    const now = clock.monotonicMs();
    if (!token || now - token.fromMs > tokenSeconds * 1000) {
      const asked = { value: requestToken(), fromMs: now };
      token = asked;
      // A failed token request is repeated by the next caller.
      asked.value.catch(() => {
        if (token === asked) token = undefined;
      });
    }
    return token.value;
  }

  /** Sends a request, and repeats it with a fresh token after a 401. */
  async function authorised(url: string): Promise<Reply> {
    for (let isSecond = false; ; isSecond = true) {
      const value = await currentToken();
      const reply = await send(url, { headers: { authorization: `Bearer ${value}` } });
      if (reply.status !== 401) return reply;
      if (isSecond)
        throw failure('unauthorized', 'the web catalog refuses the token that it has just given this studio');
      if ((await token?.value.catch(() => '')) === value) token = undefined;
    }
  }

  /** Does the same with the token of a user. */
  async function authorisedAs(person: PersonToken, url: string): Promise<Reply> {
    let token = await person(null);
    for (let isSecond = false; token !== null; isSecond = true) {
      const reply = await send(url, { headers: { authorization: `Bearer ${token.reveal()}` } });
      if (reply.status !== 401 || isSecond) return reply;
      token = await person(token);
    }
    throw new CatalogForbiddenError(
      'the web catalog no longer accepts your login: sign in again under Settings',
    );
  }

  async function ask<T>({ target, schema, forbidden, person, deadlineMs }: Ask<T>): Promise<T | null> {
    const url = target.startsWith('/') ? options.apiUrl + target : target;
    if (!isOwnAddress(url))
      throw failure('catalog_error', 'the web catalog sent us to an address that is not its own');
    for (let attempt = 1; ; attempt++) {
      let waitSeconds = 0.25 * 4 ** (attempt - 1);
      let problem: Error;
      try {
        const reply = person ? await authorisedAs(person, url) : await authorised(url);
        if (reply.status === 200) return parse(reply.body, schema);
        if (reply.status === 404 || reply.status === 400) return null;
        if (reply.status === 403)
          throw new CatalogForbiddenError(forbidden ?? 'the web catalog forbids this to this studio (403)');
        problem = unexpected(reply.status);
        if (reply.status === 429) {
          waitSeconds = reply.retryAfterSeconds ?? waitSeconds;
          problem = failure(
            'catalog_error',
            `the web catalog asks us to wait ${Math.ceil(waitSeconds)} s before the next question: try again then`,
          );
          if (waitSeconds > longestRetryAfterSeconds) throw problem;
        } else if (reply.status < 500) {
          throw problem;
        }
      } catch (error) {
        if (!isRetryable(error)) throw error;
        problem = failure('catalog_error', messageOf(error));
      }
      const isLate = clock.monotonicMs() + waitSeconds * 1000 > deadlineMs;
      if (attempt === attempts || isLate) throw problem;
      await pause(waitSeconds * 1000);
    }
  }

  function isOwnAddress(target: string): boolean {
    if (!URL.canParse(target)) return false;
    const url = new URL(target);
    const api = new URL(options.apiUrl);
    return url.origin === api.origin && url.pathname.startsWith(`${api.pathname.replace(/\/$/, '')}/`);
  }

  return { ask, isOwnAddress, deadline: () => clock.monotonicMs() + lookUpMs };
}

interface Reply {
  readonly status: number;
  readonly retryAfterSeconds: number | null;
  readonly body: string;
}

/** Sends one request: follows no redirect, keeps no cookie, reads the reply up to its limit. */
async function send(url: string, init: RequestInit): Promise<Reply> {
  try {
    const response = await fetch(url, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(replyTimeoutMs),
    });
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN);
    return {
      status: response.status,
      retryAfterSeconds: Number.isFinite(wait) && wait >= 0 ? Math.max(1, wait) : null,
      body: new TextDecoder().decode(await readLimited(response, longestReplyBytes)),
    };
  } catch (error) {
    const isSlow = (error as Error).name === 'TimeoutError';
    const why = isSlow ? `it did not answer within ${replyTimeoutMs / 1000} s` : networkReason(error);
    throw new RetryableError(`the web catalog cannot be reached: ${why}`, { cause: error });
  }
}

function networkReason(error: unknown): string {
  const cause = (error as { cause?: unknown }).cause;
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : messageOf(cause ?? error);
}

function unexpected(status: number): Error {
  return failure('catalog_error', `the web catalog answered ${status}: try again later`);
}

function parse<T>(body: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw failure('catalog_error', 'the web catalog sent a reply that is not JSON');
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw failure('catalog_error', 'the web catalog sent an unexpected reply');
}

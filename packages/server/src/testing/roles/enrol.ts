import type { Role } from '@stem-studio/contract/roles';
import { type ApiScope, apiScopes, hasScope, type NeededScope } from '@stem-studio/contract/scopes';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieNames } from '../../features/accounts/cookies.ts';
import { hashOfToken } from '../../features/accounts/hash-of-token.ts';
import { csrfTokenFor } from '../../features/accounts/index.ts';
import type { Context } from '../../platform/context.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { type Caller, roleOf } from './callers.ts';

/** A user of the table of roles. */
export interface Person {
  readonly id: number;
  readonly email: string;
  /** Unique text that occurs only in the user's own records. */
  readonly mark: string;
}

/** Inserts a new user with a unique name. */
export async function insertPerson(context: Context, role: Role, passwordHash: string): Promise<Person> {
  const mark = `mark-${randomToken(12).toLowerCase()}`;
  const email = `${mark}@example.org`;
  const { id } = await context.db
    .insertInto('users')
    .values({ email, role, password_hash: passwordHash, created_at: context.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, email, mark };
}

const dayMs = 86_400_000;

/** Returns the scopes of a caller's key for a call that needs `needed`; null for an unlimited key. */
export function scopesOf({ key }: Caller, needed: NeededScope | null): ApiScope[] | null {
  if (key === undefined) return null;
  if (key === 'no admin') return ['read', 'write'];
  if (needed === null) return [...apiScopes];
  return key === 'needed' ? [needed] : apiScopes.filter((scope) => !hasScope([scope], needed));
}

async function tokenFor(
  context: Context,
  userId: number,
  { spoilt }: Caller,
  scopes: ApiScope[] | null,
): Promise<string> {
  const token = `sst_${randomToken()}`;
  const now = context.clock.now();
  const before = new Date(now.getTime() - 1000);
  if (spoilt === 'unknown token') return token;
  await context.db
    .insertInto('api_keys')
    .values({
      id: newId(),
      user_id: userId,
      name: 'a key of the table',
      key_hash: hashOfToken(token),
      prefix: token.slice(0, 12),
      created_at: new Date(now.getTime() - dayMs),
      expires_at: spoilt === 'expired key' ? before : null,
      revoked_at: spoilt === 'revoked key' ? before : null,
      scopes,
    })
    .execute();
  return token;
}

/** Returns the cookie of a logged-in browser, and a CSRF token for it. */
async function cookieFor(
  context: Context,
  userId: number,
  spoilt: Caller['spoilt'],
): Promise<{ cookie: string; csrf: string }> {
  const token = randomToken();
  const id = hashOfToken(token);
  const now = context.clock.now();
  if (spoilt !== 'unknown cookie') {
    const expires_at = new Date(now.getTime() + (spoilt === 'expired login' ? -1000 : dayMs));
    const moments = { created_at: new Date(now.getTime() - 2000), last_seen_at: now, expires_at };
    await context.db
      .insertInto('login_sessions')
      .values({ id, user_id: userId, user_agent: 'A browser', ...moments })
      .execute();
  }
  return { cookie: `${cookieNames.login}=${token}`, csrf: csrfOf(context, '', id) };
}

function csrfOf(context: Context, cookie: string, loginSessionId: string | null): string {
  const exchange = { context, request: { headers: { cookie } } as FastifyRequest, reply: {} as FastifyReply };
  const viewer = loginSessionId === null ? null : ({ login_session_id: loginSessionId } as Viewer);
  return csrfTokenFor(exchange, viewer);
}

/**
 * Creates the request headers of a caller. A known caller is a new user with the right role, or the owner. A defective
 * key or login belongs to the owner and has the best available CSRF token.
 *
 * @param needed scope of the call, for callers whose keys have scopes
 */
export async function enrol(
  context: Context,
  caller: Caller,
  owner: Person,
  passwordHash: string,
  needed: NeededScope | null = null,
): Promise<Record<string, string>> {
  if (caller.way === 'nothing') {
    if (!caller.hasCsrf) return {};
    const cookie = `${cookieNames.form}=${randomToken()}`;
    return { cookie, 'x-csrf-token': csrfOf(context, cookie, null) };
  }
  const isOwners = caller.standing === 'owner' || caller.spoilt !== undefined;
  const person = isOwners ? owner : await insertPerson(context, roleOf(caller.standing), passwordHash);
  const shown =
    caller.way === 'token'
      ? { authorization: `Bearer ${await tokenFor(context, person.id, caller, scopesOf(caller, needed))}` }
      : await cookieFor(context, person.id, caller.spoilt);
  if (caller.spoilt === 'deactivated') {
    // Only the user's row is changed; logins and keys stay valid.
    await context.db
      .updateTable('users')
      .set({ status: 'deactivated' })
      .where('id', '=', person.id)
      .execute();
  }
  if ('authorization' in shown) return shown;
  const sendsCsrf = caller.hasCsrf || caller.spoilt !== undefined;
  return { cookie: shown.cookie, ...(sendsCsrf && { 'x-csrf-token': shown.csrf }) };
}

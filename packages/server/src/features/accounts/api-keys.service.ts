import type { ErrorDetails } from '@stem-studio/contract/errors';
import { type ApiScope, apiScope, apiScopes } from '@stem-studio/contract/scopes';
import { z } from 'zod';
import type { Context } from '../../platform/context.ts';
import { randomToken } from '../../platform/crypto/secrets.ts';
import type { Tx } from '../../platform/db/database.ts';
import { detailsOf } from '../../platform/http/parse-input.ts';
import { newId } from '../../platform/ids.ts';
import { closeSockets } from '../../platform/socket/close-sockets.ts';
import { recordAudit } from '../audit/index.ts';
import * as store from './api-keys.store.ts';
import { hashOfToken } from './hash-of-token.ts';

/** Prefix of every API key, by which a leaked key can be recognised. */
export const apiKeyPrefix = 'sst_';
/** Number of stored leading characters that identify a key to its user; they reveal 48 of its 256 random bits. */
const shownCharacters = apiKeyPrefix.length + 8;
const dayMs = 86_400_000;

/** Lifetimes offered for a key, in days; null means until it is revoked. */
export const keyLifetimes = [30, 90, 365, null] as const;
/** Text that names the lifetimes. */
export const keyLifetimeText = '30, 90, 365 or never';
/** Default lifetime of a key, in days. */
export const usualKeyDays = 90;

const isScope = (name: string) => apiScope.safeParse(name).success;

const keyRequest = z.object({
  name: z
    .string()
    .trim()
    .min(1, 'is required')
    .max(100, 'must be at most 100 characters')
    .regex(/^\P{Cc}*$/u, 'must be one line of text'),
  days: z.union(
    keyLifetimes.map((days) => z.literal(days)),
    `must be ${keyLifetimeText}`,
  ),
  scopes: z
    .array(z.string())
    .min(1, 'must name at least one')
    .refine((names) => names.every(isScope), {
      error: ({ input }) => {
        const unknown = z
          .array(z.string())
          .parse(input)
          .filter((name) => !isScope(name));
        return `must be among ${apiScopes.join(', ')} (got ${unknown.join(', ')})`;
      },
    })
    .transform((names) => apiScopes.filter((scope) => names.includes(scope))),
});

/** Request for a new key: its name, its lifetime in days (null for no expiry) and its scopes. */
export interface KeyRequest {
  readonly name: string;
  readonly days: number | null;
  readonly scopes: readonly string[];
}

/** Returns the validation errors of a request for a key, by field; null if it is valid. */
export function errorsOfKeyRequest(given: KeyRequest): ErrorDetails | null {
  const parsed = keyRequest.safeParse(given);
  return parsed.success ? null : detailsOf(parsed.error, 'name');
}

/** A new key: `key` is shown once and not stored. */
export interface NewApiKey {
  readonly id: string;
  readonly key: string;
  readonly scopes: readonly ApiScope[];
  readonly expiresAt: Date | null;
}

/**
 * Creates an API key for a user and records it in the audit log.
 *
 * @param actorUserId user who creates it; null for the command line
 * @spec API keys
 */
export async function createApiKey(
  context: Context,
  userId: number,
  given: KeyRequest,
  actorUserId: number | null = userId,
): Promise<NewApiKey | { errors: ErrorDetails }> {
  const parsed = keyRequest.safeParse(given);
  if (!parsed.success) return { errors: detailsOf(parsed.error, 'name') };
  const { name, days, scopes } = parsed.data;
  const id = newId();
  const key = apiKeyPrefix + randomToken();
  const now = context.clock.now();
  const expiresAt = days === null ? null : new Date(now.getTime() + days * dayMs);
  await context.db.transaction().execute(async (tx) => {
    await store.insertApiKey(tx, {
      id,
      user_id: userId,
      name,
      key_hash: hashOfToken(key),
      prefix: key.slice(0, shownCharacters),
      created_at: now,
      expires_at: expiresAt,
      last_used_at: null,
      revoked_at: null,
      scopes,
    });
    await recordAudit(tx, {
      action: 'api_key_created',
      actor_user_id: actorUserId,
      target_user_id: userId,
      details: { key_id: id, scopes, expires_at: expiresAt?.toISOString() ?? null },
    });
  });
  return { id, key, scopes, expiresAt };
}

/** Revokes a key of the user at once and records it in the audit log. Returns false if the user has no such key. */
export function deleteApiKey(context: Context, userId: number, id: string): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    if (!(await store.revokeKey(tx, userId, id, context.clock.now()))) return false;
    await closeSockets(tx, { api_key_id: id });
    await recordAudit(tx, {
      action: 'api_key_deleted',
      actor_user_id: userId,
      target_user_id: userId,
      details: { key_id: id },
    });
    return true;
  });
}

/**
 * Revokes every key of a user and records it in the audit log, within the caller's transaction. Closes the sockets
 * opened with those keys. Returns the number of revoked keys.
 */
export async function revokeAllKeys(context: Context, tx: Tx, userId: number): Promise<number> {
  const ids = await store.revokeKeysOf(tx, userId, context.clock.now());
  for (const id of ids) {
    await closeSockets(tx, { api_key_id: id });
    await recordAudit(tx, {
      action: 'api_key_deleted',
      actor_user_id: userId,
      target_user_id: userId,
      details: { key_id: id },
    });
  }
  return ids.length;
}

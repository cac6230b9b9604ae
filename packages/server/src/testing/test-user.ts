import { createHash } from 'node:crypto';
import type { Role } from '@stem-studio/contract/roles';
import type { Context } from '../platform/context.ts';
import { randomToken } from '../platform/crypto/secrets.ts';
import type { Viewer } from '../platform/http/viewer.ts';
import { newId } from '../platform/ids.ts';

/** A user of a test, with their API key. */
export interface TestUser {
  readonly id: number;
  readonly email: string;
  readonly role: Role;
  readonly token: string;
  /** `{ authorization: 'Bearer …' }` for `inject`. */
  readonly headers: { readonly authorization: string };
  /** For calling services without HTTP. */
  readonly viewer: Viewer;
}

let count = 0;

/** Inserts a user with an API key. No password is valid for them: login is tested elsewhere. */
export async function insertTestUser(context: Context, role: Role = 'user'): Promise<TestUser> {
  count += 1;
  const email = `user${count}@example.org`;
  const now = context.clock.now();
  const { id } = await context.db
    .insertInto('users')
    .values({ email, password_hash: '-', role, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const token = `sst_${randomToken()}`;
  const keyId = newId();
  await context.db
    .insertInto('api_keys')
    .values({
      id: keyId,
      user_id: id,
      name: 'test',
      key_hash: createHash('sha256').update(token).digest('hex'),
      prefix: token.slice(0, 12),
      created_at: now,
    })
    .execute();
  return {
    id,
    email,
    role,
    token,
    headers: { authorization: `Bearer ${token}` },
    viewer: {
      id,
      email,
      role,
      scopes: null,
      via: 'token',
      login_session_id: null,
      api_key_id: keyId,
      expires_at: null,
    },
  };
}

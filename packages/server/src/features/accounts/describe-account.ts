import type { User } from '@stem-studio/contract/resources/user';
import type { Context } from '../../platform/context.ts';
import { describeCloudKey } from '../cloudsep/index.ts';
import { findConnection } from '../connections/index.ts';
import { getUser } from '../users/index.ts';
import { listApiKeys } from './api-keys.store.ts';
import { listLoginSessions } from './login-sessions.store.ts';

/** Stored data about an account, without any credentials. */
export interface AccountDescription {
  readonly user: User;
  /** Linked account at the web catalog. */
  readonly catalog_account: {
    readonly account_id: string;
    readonly display_name: string;
    readonly linked_at: string;
  } | null;
  /** Key at the cloud service, of which only the last characters are given. */
  readonly cloud_key: { readonly hint: string; readonly created_at: string } | null;
  readonly api_keys: readonly {
    readonly id: string;
    readonly name: string;
    /** First characters of the key. */
    readonly prefix: string;
    /** Null for everything that its user may do. */
    readonly scopes: readonly string[] | null;
    readonly created_at: string;
    readonly expires_at: string | null;
    readonly last_used_at: string | null;
  }[];
  readonly logins: readonly {
    readonly user_agent: string;
    readonly created_at: string;
    readonly last_seen_at: string;
    readonly expires_at: string;
  }[];
}

/** Describes an account to its user. Throws 404 if it does not exist. */
export async function describeAccount(context: Context, userId: number): Promise<AccountDescription> {
  const keys = await listApiKeys(context.db, userId);
  const logins = await listLoginSessions(context.db, userId, context.clock.now());
  const cloudKey = await describeCloudKey(context, userId);
  const linked = await findConnection(context.db, userId, 'web_catalog');
  return {
    user: await getUser(context, userId),
    catalog_account: linked && {
      account_id: linked.account_id ?? '',
      display_name: linked.label,
      linked_at: linked.connected_at.toISOString(),
    },
    cloud_key: cloudKey && { hint: cloudKey.hint, created_at: cloudKey.created_at.toISOString() },
    api_keys: keys.map(({ id, name, prefix, scopes, created_at, expires_at, last_used_at }) => ({
      id,
      name,
      prefix,
      scopes,
      created_at: created_at.toISOString(),
      expires_at: expires_at?.toISOString() ?? null,
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
    logins: logins.map(({ user_agent, created_at, last_seen_at, expires_at }) => ({
      user_agent,
      created_at: created_at.toISOString(),
      last_seen_at: last_seen_at.toISOString(),
      expires_at: expires_at.toISOString(),
    })),
  };
}

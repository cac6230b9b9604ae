import type { Role } from '@stem-studio/contract/roles';

/** Who a caller is to the owner of the thing that is asked for; `nobody` is whoever the service does not know. */
export type Standing = 'nobody' | 'owner' | 'another user' | 'admin' | 'platform_admin';

/** A caller, and what they send along. */
export interface Caller {
  readonly name: string;
  readonly standing: Standing;
  /** What they show: nothing that counts, a bearer token, or a login cookie. */
  readonly way: 'nothing' | 'token' | 'cookie';
  /** Whether they send a CSRF token that was made for their browser. */
  readonly hasCsrf: boolean;
  /** What is wrong with what they show; the owner's, so that it would open the thing if it were not. */
  readonly spoilt?:
    | 'unknown token'
    | 'expired key'
    | 'revoked key'
    | 'deactivated'
    | 'unknown cookie'
    | 'expired login';
  /** What the scopes of their key are: those that the call needs, all others, or all but `admin`. Absent: no limits. */
  readonly key?: 'needed' | 'without' | 'no admin';
}

const known = (['owner', 'another user', 'admin', 'platform_admin'] as const).flatMap(
  (standing): Caller[] => [
    { name: `${standing}, token`, standing, way: 'token', hasCsrf: false },
    { name: `${standing}, cookie`, standing, way: 'cookie', hasCsrf: true },
    { name: `${standing}, cookie without CSRF token`, standing, way: 'cookie', hasCsrf: false },
  ],
);

const spoilt = (name: string, way: 'token' | 'cookie', what: Caller['spoilt']): Caller => ({
  name,
  standing: 'nobody',
  way,
  hasCsrf: false,
  spoilt: what,
});

const limited = (name: string, standing: Standing, key: NonNullable<Caller['key']>): Caller => ({
  name,
  standing,
  way: 'token',
  hasCsrf: false,
  key,
});

/** Everybody who may call, each once. */
export const callers: readonly Caller[] = [
  { name: 'nobody', standing: 'nobody', way: 'nothing', hasCsrf: false },
  { name: 'nobody, with the CSRF token of a form', standing: 'nobody', way: 'nothing', hasCsrf: true },
  spoilt('wrong token', 'token', 'unknown token'),
  spoilt('expired key', 'token', 'expired key'),
  spoilt('revoked key', 'token', 'revoked key'),
  spoilt('deactivated, token', 'token', 'deactivated'),
  spoilt('deactivated, cookie', 'cookie', 'deactivated'),
  spoilt('wrong cookie', 'cookie', 'unknown cookie'),
  spoilt('expired login', 'cookie', 'expired login'),
  ...known,
  limited('owner, key with the scope', 'owner', 'needed'),
  limited('owner, key without the scope', 'owner', 'without'),
  limited('admin, key without admin', 'admin', 'no admin'),
];

/** The role that a caller of this standing has. */
export function roleOf(standing: Standing): Role {
  return standing === 'admin' || standing === 'platform_admin' ? standing : 'user';
}

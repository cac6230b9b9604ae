import type { Role } from '@stem-studio/contract/roles';

/** Relation of a caller to the owner of the requested record; `nobody` is an unknown caller. */
export type Standing = 'nobody' | 'owner' | 'another user' | 'admin' | 'platform_admin';

/** A caller with their credentials. */
export interface Caller {
  readonly name: string;
  readonly standing: Standing;
  /** Credentials: none that are accepted, a bearer token, or a login cookie. */
  readonly way: 'nothing' | 'token' | 'cookie';
  /** Whether they send a CSRF token created for their browser. */
  readonly hasCsrf: boolean;
  /** Defect of the credentials. They belong to the owner, so that they would give access without the defect. */
  readonly spoilt?:
    | 'unknown token'
    | 'expired key'
    | 'revoked key'
    | 'deactivated'
    | 'unknown cookie'
    | 'expired login';
  /** Scopes of their key: those that the call needs, all others, or all except `admin`. Absent: unlimited. */
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

/** Every kind of caller once. */
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

/** Returns the role of a caller with this standing. */
export function roleOf(standing: Standing): Role {
  return standing === 'admin' || standing === 'platform_admin' ? standing : 'user';
}

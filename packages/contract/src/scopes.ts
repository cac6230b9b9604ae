import { z } from 'zod';

/** Features of the service that an API key can be limited to. */
export const apiFeatures = [
  'account',
  'catalog',
  'tracks',
  'jobs',
  'processing',
  'analysis',
  'exports',
] as const;
/** One of {@link apiFeatures}. */
export type ApiFeature = (typeof apiFeatures)[number];

/** Scope that an endpoint or topic requires of an API key: reading or writing in one feature, or `admin`. */
export type NeededScope = `${ApiFeature}:${'read' | 'write'}` | 'admin';

/** Scope that an API key can have: a required scope, or reading or writing everywhere. */
export type ApiScope = NeededScope | 'read' | 'write';

/** Every scope: the general ones first, then two per feature. */
export const apiScopes: readonly ApiScope[] = [
  'read',
  'write',
  'admin',
  ...apiFeatures
    .flatMap((name) => [`${name}:read`, `${name}:write`] as const)
    .filter(
      // The API changes nothing in these features.
      (name) => name !== 'account:write' && name !== 'exports:write',
    ),
];

/** One of {@link apiScopes}. */
export const apiScope = z.enum(apiScopes as [ApiScope, ...ApiScope[]]);

/**
 * Returns whether a key with the scopes `held` may do what requires `needed`. Writing includes reading; `admin` is
 * never included in another scope and includes none.
 *
 * @param held scopes of the key; null for a key without limits and for a logged-in browser
 * @example
 * hasScope(['tracks:write'], 'tracks:read'); // true
 */
export function hasScope(held: readonly ApiScope[] | null, needed: NeededScope): boolean {
  if (held === null) return true;
  if (needed === 'admin') return held.includes('admin');
  const [feature, action] = needed.split(':') as [ApiFeature, 'read' | 'write'];
  if (held.includes('write') || held.includes(`${feature}:write`)) return true;
  return action === 'read' && (held.includes('read') || held.includes(needed));
}

import { z } from 'zod';

/** Parts of the service that an API key can be limited to. */
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

/** What an endpoint or a topic needs of an API key: reading or writing in one feature, or the role of an admin. */
export type NeededScope = `${ApiFeature}:${'read' | 'write'}` | 'admin';

/** What an API key may be given: a needed scope, or reading or writing everywhere. */
export type ApiScope = NeededScope | 'read' | 'write';

/** Every scope: the wide ones first, then two of each feature. */
export const apiScopes: readonly ApiScope[] = [
  'read',
  'write',
  'admin',
  ...apiFeatures
    .flatMap((name) => [`${name}:read`, `${name}:write`] as const)
    .filter(
      // Nothing is changed there by the API.
      (name) => name !== 'account:write' && name !== 'exports:write',
    ),
];

/** One of {@link apiScopes}. */
export const apiScope = z.enum(apiScopes as [ApiScope, ...ApiScope[]]);

/**
 * Whether a key with these scopes may do what needs `needed`. Writing includes reading; `admin` is never included in
 * another scope and includes none.
 *
 * @param held null for a key without limits and for a browser that is logged in
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

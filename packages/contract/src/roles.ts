import { z } from 'zod';

/**
 * The three roles in ascending privilege: `user` (own tracks, settings, agents), `admin` (all user data, admin area),
 * `platform_admin` (also system configuration).
 *
 * @spec Roles
 */
export const roles = ['user', 'admin', 'platform_admin'] as const;

/** One of {@link roles}. */
export const role = z.enum(roles);
/** One of {@link roles}. */
export type Role = z.infer<typeof role>;

/** Returns whether `held` has at least the permissions of `needed`; each role includes the lower ones. */
export function hasRole(held: Role, needed: Role): boolean {
  return roles.indexOf(held) >= roles.indexOf(needed);
}

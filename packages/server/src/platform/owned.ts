import { hasRole } from '@stem-studio/contract/roles';
import type { Viewer } from './http/viewer.ts';

declare const readable: unique symbol;
declare const owned: unique symbol;

/** Row that the viewer may read, as its owner or as an admin. Created only by {@link asReadable} and {@link own}. */
export type Readable<T> = T & { readonly [readable]: true };

/** Row that the viewer owns and may change. Created only by {@link own}. Every owned row is readable. */
export type Owned<T> = Readable<T> & { readonly [owned]: true };

/** Row with an owner. */
interface HasOwner {
  readonly user_id: number;
}

/**
 * Returns `row` for changes if the viewer owns it, else null. Admins may read the data of other users but not change
 * it, so the role has no effect here.
 *
 * @spec Roles
 */
export function own<T extends HasOwner>(
  viewer: Pick<Viewer, 'id'>,
  row: T | null | undefined,
): Owned<T> | null {
  return row && row.user_id === viewer.id ? (row as Owned<T>) : null;
}

/**
 * Returns `row` for reading if the viewer owns it or is an admin, else null. For all others it does not exist.
 *
 * @spec Roles
 */
export function asReadable<T extends HasOwner>(
  viewer: Pick<Viewer, 'id' | 'role'>,
  row: T | null | undefined,
): Readable<T> | null {
  if (!row) return null;
  return row.user_id === viewer.id || hasRole(viewer.role, 'admin') ? (row as Readable<T>) : null;
}

/**
 * Returns a row with a non-null owner. Returns null if there is no row, or its owner is null because the track is
 * deleted.
 */
export function withOwner<T extends { readonly user_id: number | null }>(
  row: T | undefined,
): (T & HasOwner) | null {
  return row === undefined || row.user_id === null ? null : { ...row, user_id: row.user_id };
}

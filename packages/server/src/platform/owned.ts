import { hasRole } from '@stem-studio/contract/roles';
import type { Viewer } from './http/viewer.ts';

declare const readable: unique symbol;
declare const owned: unique symbol;

/** A row that the viewer may look at: it is theirs, or they are an admin. Only {@link asReadable} and {@link own} make one. */
export type Readable<T> = T & { readonly [readable]: true };

/** A row that belongs to the viewer, so that they may change it. Only {@link own} makes one. Every owned row is readable. */
export type Owned<T> = Readable<T> & { readonly [owned]: true };

/** What says whose a row is. */
interface HasOwner {
  readonly user_id: number;
}

/**
 * `row` for changing: itself when it belongs to the viewer, else null. Admins read other people's things and change
 * none of them, so a role helps nobody here.
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
 * `row` for looking at: itself when it belongs to the viewer or the viewer is an admin, else null. To everybody else
 * it does not exist.
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

/** A row whose owner was read with it; null where there is no row, or its owner is null because the track is deleted. */
export function withOwner<T extends { readonly user_id: number | null }>(
  row: T | undefined,
): (T & HasOwner) | null {
  return row === undefined || row.user_id === null ? null : { ...row, user_id: row.user_id };
}

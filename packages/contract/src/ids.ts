import { z } from 'zod';

/** UUID of any version; the application generates version 7. */
export const uuid = z.guid();

/** Path parameters of an endpoint for one resource with a UUID. */
export const idParams = z.object({ id: uuid });

/** User id, a positive integer. */
export const userId = z.int().positive();

/** Id within a catalog: 1 to 64 characters that are safe in a path. */
export const catalogId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"');

/** Point in time, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

import { z } from 'zod';

/** A uuid of any version; ours are version 7, made by the application. */
export const uuid = z.guid();

/** Path parameters of an endpoint about one thing with a uuid. */
export const idParams = z.object({ id: uuid });

/** Users have whole-number ids. */
export const userId = z.int().positive();

/** A catalog's own id of a thing: 1 to 64 characters that are safe in a path. */
export const catalogId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, "_" or "-"');

/** A moment, ISO 8601 in UTC. */
export const timestamp = z.iso.datetime();

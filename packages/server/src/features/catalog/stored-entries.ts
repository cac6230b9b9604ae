import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Stored entries of a playlist file of the catalog folder. The next scan rewrites unreadable ones. */
export const storedEntries = storedJson(
  'entries of a playlist of the catalog folder',
  z.array(z.object({ path: z.string().nullable(), title: z.string() })),
);

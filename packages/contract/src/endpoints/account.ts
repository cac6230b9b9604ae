import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { deletedTracks, usage } from '../resources/usage.ts';
import { user } from '../resources/user.ts';

/** Returns the calling user. */
export const getAccount = endpoint({
  method: 'GET',
  path: '/api/account',
  summary: 'The calling user',
  auth: 'api',
  scope: 'account:read',
  status: 200,
  reply: dataOf(user),
});

/** Exports all data stored about the caller, without secrets. */
export const exportAccount = endpoint({
  method: 'GET',
  path: '/export/account',
  summary:
    'Account, tracks, stems, jobs and analyses of the caller as JSON in a ZIP that is made while it is sent',
  auth: 'api',
  scope: 'account:read',
  status: 200,
  replyTypes: ['application/zip'],
});

/** Returns the storage used by the caller, the limits, and the storage still used by deleted tracks. */
export const getUsage = endpoint({
  method: 'GET',
  path: '/api/account/usage',
  summary: 'Storage, tracks, jobs and stems of the caller, with their limits',
  auth: 'api',
  scope: 'account:read',
  status: 200,
  reply: dataOf(usage.extend({ deleted: deletedTracks })),
});

/**
 * Empties the trash: deletes all deleted tracks of the caller for good.
 */
export const freeSpace = endpoint({
  method: 'POST',
  path: '/api/account/free-space',
  summary: 'Empty the trash',
  auth: 'api',
  scope: 'tracks:write',
  freesDiskSpace: true,
  status: 200,
  reply: dataOf(z.object({ tracks: z.int(), freed_bytes: z.int() })),
});

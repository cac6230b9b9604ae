import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams } from '../ids.ts';
import { libraryImport } from '../resources/import.ts';

/** Lists the caller's unfinished imports of albums and playlists, newest first. */
export const listImports = endpoint({
  method: 'GET',
  path: '/api/imports',
  summary: 'Imports under way',
  auth: 'api',
  scope: 'jobs:read',
  status: 200,
  reply: dataOf(z.array(libraryImport)),
});

/** Returns an import and its progress. */
export const getImport = endpoint({
  method: 'GET',
  path: '/api/imports/:id',
  summary: 'An import of an album or a playlist',
  auth: 'api',
  scope: 'jobs:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(libraryImport),
});

/** Cancels all unfinished jobs of an import; tracks already imported stay. */
export const cancelImport = endpoint({
  method: 'DELETE',
  path: '/api/imports/:id',
  summary: 'Cancel an import',
  auth: 'api',
  scope: 'jobs:write',
  status: 204,
  errors: ['NOT_FOUND', 'JOB_NOT_CANCELLABLE'],
  params: idParams,
});

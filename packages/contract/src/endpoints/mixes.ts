import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { exportFormats, exportFormatTable } from '../export-formats.ts';
import { idParams } from '../ids.ts';
import { mixExport, requestedMix } from '../resources/mix.ts';

/**
 * Renders a mix as the player plays it: faders, pan, equalisers, tempo, key and range. The file is kept for a day.
 *
 * @spec Stem exports
 */
export const createMix = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/mixes',
  summary: 'Render a mix of a track as the player plays it',
  auth: 'api',
  scope: 'jobs:write',
  limit: 'mix',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED', 'QUOTA_EXCEEDED'],
  params: idParams,
  body: requestedMix,
  reply: dataOf(mixExport),
});

/** Lists the mixes of the caller that are rendered or kept, newest first. */
export const listMixes = endpoint({
  method: 'GET',
  path: '/api/mixes',
  summary: 'Rendered mixes',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  reply: dataOf(z.array(mixExport)),
});

/** Returns a mix and its progress. */
export const getMix = endpoint({
  method: 'GET',
  path: '/api/mixes/:id',
  summary: 'A rendered mix and its progress',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(mixExport),
});

/** Returns the file of a mix, with ranges. */
export const downloadMix = endpoint({
  method: 'GET',
  path: '/api/mixes/:id/file',
  summary: 'The file of a rendered mix',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  params: idParams,
  replyTypes: exportFormats.map((format) => exportFormatTable[format].mediaType),
});

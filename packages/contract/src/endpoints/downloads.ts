import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { downloadJob, downloadQuality } from '../resources/download-job.ts';
import { downloadStatus } from '../states.ts';
import { catalogUrl } from './catalog.ts';

/** Reply of requests that start a download. */
export const downloadAccepted = z.object({ job_id: uuid, track_id: uuid, status: downloadStatus });

/** Downloads one catalog track. */
export const downloadTrack = endpoint({
  method: 'POST',
  path: '/api/download/track',
  summary: 'Download a catalog track',
  auth: 'api',
  scope: 'catalog:write',
  limit: 'download',
  answersOnce: true,
  status: 201,
  errors: ['invalid_url', 'catalog_error', 'unauthorized', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
  body: z.strictObject({ url: catalogUrl, quality: downloadQuality.default('high') }),
  reply: dataOf(downloadAccepted),
});

/** Returns a download job and its progress. */
export const getDownloadJob = endpoint({
  method: 'GET',
  path: '/api/download/job/:id',
  summary: 'A download job',
  auth: 'api',
  scope: 'jobs:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(downloadJob),
});

/** Uploads an audio file: multipart with one part named `file`. The type is detected from its content. */
export const uploadFile = endpoint({
  method: 'POST',
  path: '/api/uploads',
  summary: 'Upload an audio file',
  auth: 'api',
  scope: 'tracks:write',
  status: 201,
  errors: ['PAYLOAD_TOO_LARGE', 'AUDIO_NOT_ACCEPTED', 'QUOTA_EXCEEDED'],
  bodyKind: 'multipart',
  reply: dataOf(downloadAccepted),
});

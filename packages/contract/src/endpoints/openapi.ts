import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * Returns the OpenAPI document, generated from the validation schemas. The document has no envelope, as OpenAPI tools
 * expect.
 */
export const openApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This description (OpenAPI 3.1)',
  auth: 'none',
  status: 200,
  reply: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
});

/** Returns the API description as an HTML page. */
export const apiDocs = endpoint({
  method: 'GET',
  path: '/api/docs',
  summary: 'This description as a page to read',
  auth: 'none',
  status: 200,
  replyTypes: ['text/html'],
});

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';

/**
 * The service described by itself, made from the schemas that validate. The reply is the document itself, without an
 * envelope: that is what its readers expect.
 */
export const openApi = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'This description (OpenAPI 3.1)',
  auth: 'none',
  status: 200,
  reply: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
});

/** The same description as a page for people. */
export const apiDocs = endpoint({
  method: 'GET',
  path: '/api/docs',
  summary: 'This description as a page to read',
  auth: 'none',
  status: 200,
  replyTypes: ['text/html'],
});

import { endpoint } from '../endpoint.ts';

/**
 * Mixes uploaded stems by an edit manifest: multipart with `track_id`, one part `stems[]` for each stem, named by its
 * type (`vocals.wav`), and `manifest`, the JSON of `editManifest`. The reply is a WAV file.
 *
 * @spec Editor exports
 */
export const exportEdit = endpoint({
  method: 'POST',
  path: '/api/daw/export',
  summary: 'Mix stems by an edit manifest',
  auth: 'cookie',
  limit: 'mix',
  status: 200,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  bodyKind: 'multipart',
  parts: { track_id: 'text', manifest: 'text', 'stems[]': 'files' },
  replyTypes: ['audio/wav'],
});

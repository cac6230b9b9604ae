import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams } from '../ids.ts';
import { sourceCandidate } from '../resources/source-candidate.ts';
import { downloadAccepted } from './downloads.ts';

/** Lists the audio source candidates found for a track, best first; empty before the first search. */
export const listSources = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/source',
  summary: "Candidates for a track's sound",
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(z.array(sourceCandidate)),
});

/** Selects another audio source for a track: starts a download that replaces the track's audio when complete. */
export const chooseSource = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/source',
  summary: "Choose a candidate for a track's sound",
  auth: 'api',
  scope: 'tracks:write',
  limit: 'download',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'VALIDATION_ERROR', 'QUOTA_EXCEEDED'],
  params: idParams,
  body: z.strictObject({ candidate_id: z.string().min(1).max(64) }),
  reply: dataOf(downloadAccepted),
});

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams } from '../ids.ts';
import { sourceCandidate } from '../resources/source-candidate.ts';
import { downloadAccepted } from './downloads.ts';

/** What the search for a track's sound found, the best first; empty until it was searched for. */
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

/** Takes the track's sound from another candidate: a download that replaces what the track has once it is whole. */
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

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { cue, cueColor, cueKind, cueLabel, cueList } from '../resources/cue.ts';
import { processingStatus } from '../states.ts';

/** The cue points of a track. An auto cue on the beat of a manual one is not among them. */
export const listCues = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/cues',
  summary: 'Cue points of a track',
  auth: 'api',
  scope: 'analysis:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(cueList),
});

/** Sets a cue point by hand. */
export const createCue = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/cues',
  summary: 'Set a cue point',
  auth: 'api',
  scope: 'analysis:write',
  status: 201,
  errors: ['NOT_FOUND', 'CUE_BEAT_TAKEN', 'TOO_MANY_CUES'],
  params: idParams,
  body: z.strictObject({
    /** From 0 to the end of the track; it is kept as it is, also beside a beat. */
    position_ms: z.int().min(0),
    kind: cueKind.default('custom'),
    label: cueLabel.optional(),
    color: cueColor.optional(),
  }),
  reply: dataOf(cue),
});

/** Renames, re-colours or promotes a cue point. What is left out stays. */
export const updateCue = endpoint({
  method: 'PATCH',
  path: '/api/cues/:id',
  summary: 'Rename, re-colour or promote a cue point',
  auth: 'api',
  scope: 'analysis:write',
  status: 200,
  errors: ['NOT_FOUND', 'CUE_BEAT_TAKEN'],
  params: idParams,
  body: z
    .strictObject({
      label: cueLabel,
      color: cueColor,
      /** Makes an auto cue the owner's own. There is no way back but to delete it. */
      source: z.literal('manual'),
    })
    .partial(),
  reply: dataOf(cue),
});

/** Deletes a cue point. One that was found is not found again. */
export const deleteCue = endpoint({
  method: 'DELETE',
  path: '/api/cues/:id',
  summary: 'Delete a cue point',
  auth: 'api',
  scope: 'analysis:write',
  status: 204,
  errors: ['NOT_FOUND'],
  params: idParams,
});

/** Brings back a deleted cue point: one set by hand for ten minutes, one that was found at any time. */
export const restoreCue = endpoint({
  method: 'POST',
  path: '/api/cues/:id/restore',
  summary: 'Bring back a deleted cue point',
  auth: 'api',
  scope: 'analysis:write',
  status: 200,
  errors: ['NOT_FOUND', 'CUE_NOT_RESTORABLE', 'CUE_BEAT_TAKEN'],
  params: idParams,
  reply: dataOf(cue),
});

/** Places the cue points of a track anew. What its owner touched or deleted stays as it is. */
export const regenerateCues = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/cues/regenerate',
  summary: 'Place the cue points of a track anew',
  auth: 'api',
  scope: 'analysis:write',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_ANALYZED', 'QUOTA_EXCEEDED'],
  params: idParams,
  reply: dataOf(z.object({ job_id: uuid, track_id: uuid, status: processingStatus })),
});

import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { cue, cueColor, cueKind, cueLabel, cueList } from '../resources/cue.ts';
import { processingStatus } from '../states.ts';

/** Lists the cue points of a track. An automatic cue on the beat of a manual one is omitted. */
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

/** Creates a manual cue point. */
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
    /** Position from 0 to the end of the track; not quantised to a beat. */
    position_ms: z.int().min(0),
    kind: cueKind.default('custom'),
    label: cueLabel.optional(),
    color: cueColor.optional(),
  }),
  reply: dataOf(cue),
});

/** Renames, recolours or promotes a cue point. Omitted fields do not change. */
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
      /** Turns an automatic cue into a manual one. This cannot be reverted except by deleting the cue. */
      source: z.literal('manual'),
    })
    .partial(),
  reply: dataOf(cue),
});

/** Deletes a cue point. A deleted automatic cue is not detected again. */
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

/** Restores a deleted cue point: a manual one within ten minutes, an automatic one at any time. */
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

/** Detects the cue points of a track again. Cue points that its owner edited or deleted stay unchanged. */
export const regenerateCues = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/cues/regenerate',
  summary: 'Detect the cue points of a track again',
  auth: 'api',
  scope: 'analysis:write',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_ANALYZED', 'QUOTA_EXCEEDED'],
  params: idParams,
  reply: dataOf(z.object({ job_id: uuid, track_id: uuid, status: processingStatus })),
});

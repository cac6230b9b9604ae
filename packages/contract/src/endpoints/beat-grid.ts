import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams } from '../ids.ts';
import { beatGrid, gridEdit } from '../resources/beat-grid.ts';

/** Returns the current beat grid of a track and the steps that can be undone. */
export const getBeatGrid = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/grid',
  summary: 'Beat grid of a track',
  auth: 'api',
  scope: 'analysis:read',
  status: 200,
  errors: ['NOT_FOUND', 'TRACK_NOT_ANALYZED'],
  params: idParams,
  reply: dataOf(beatGrid),
});

/** Edits the beat grid of a track manually. Manual edits survive later analyses, and the cue points follow them. */
export const editBeatGrid = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/grid/edits',
  summary: 'Edit the beat grid of a track',
  auth: 'api',
  scope: 'analysis:write',
  answersOnce: true,
  status: 200,
  errors: [
    'NOT_FOUND',
    'TRACK_NOT_ANALYZED',
    'GRID_LOCKED',
    'GRID_CHANGED',
    'GRID_EMPTY',
    'GRID_NOTHING_TO_UNDO',
    'GRID_NOTHING_TO_REDO',
  ],
  params: idParams,
  body: gridEdit,
  reply: dataOf(beatGrid),
});
